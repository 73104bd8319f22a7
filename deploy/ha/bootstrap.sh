#!/bin/sh
#
# bootstrap.sh CONNECTION - make the roles and the database of gangd.  Patroni
# runs it once, on the first primary, with a superuser's connection string.  The
# passwords are in the environment.
set -eu

psql -X -q -v ON_ERROR_STOP=1 -d "$1" <<'SQL'
\getenv app GANGD_APP_PASSWORD
\getenv migrate GANGD_MIGRATE_PASSWORD
CREATE ROLE gangd_owner NOLOGIN;
CREATE ROLE gangd_migrate LOGIN IN ROLE gangd_owner PASSWORD :'migrate';
CREATE ROLE gangd_app LOGIN PASSWORD :'app';
CREATE DATABASE gangd OWNER gangd_owner;
REVOKE ALL ON DATABASE gangd FROM PUBLIC;
GRANT CONNECT ON DATABASE gangd TO gangd_app;
GRANT pg_monitor TO gangd_migrate;
SQL
