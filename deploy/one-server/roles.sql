-- The roles and the database of gangd on one server, for psql as a superuser.  It
-- can be run again.  gangd_backup reads everything and writes nothing.
SELECT 'CREATE ROLE ' || role
  FROM (VALUES ('gangd_owner', 'gangd_owner NOLOGIN'),
               ('gangd_app', 'gangd_app LOGIN'),
               ('gangd_push', 'gangd_push LOGIN'),
               ('gangd_migrate', 'gangd_migrate LOGIN IN ROLE gangd_owner'),
               ('gangd_backup', 'gangd_backup LOGIN IN ROLE pg_read_all_data'))
       AS wanted (name, role)
 WHERE name NOT IN (SELECT rolname FROM pg_roles)
\gexec
SELECT 'CREATE DATABASE gangd OWNER gangd_owner'
 WHERE 'gangd' NOT IN (SELECT datname FROM pg_database)
\gexec
GRANT pg_monitor TO gangd_migrate; -- for gangctl check
REVOKE CONNECT ON DATABASE gangd FROM PUBLIC;
GRANT CONNECT ON DATABASE gangd
	TO gangd_owner, gangd_migrate, gangd_app, gangd_push, gangd_backup;
