-- The roles of gangd, and the settings of their sessions.  A superuser runs this on
-- every node by itself (the coordinator, and each worker), before the schema is
-- made, and again on each node that is added:
--
--   psql -X -v ON_ERROR_STOP=1 -d gangd -f roles.sql
--
-- A coordinator opens sessions on the workers in the name of the role that asks, so
-- gangd_owner, too, must be able to log in between nodes (pg_hba.conf).  Give the
-- roles passwords, certificates or mappings as is usual at your site.
SET citus.enable_ddl_propagation = off;

DO $$
DECLARE
	role text;
BEGIN
	FOREACH role IN ARRAY ARRAY['gangd_owner', 'gangd_migrate', 'gangd_app',
	                           'gangd_push'] LOOP
		IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role) THEN
			EXECUTE format('CREATE ROLE %I', role);
		END IF;
		EXECUTE format('ALTER ROLE %I LOGIN', role);
	END LOOP;
END
$$;
SET client_min_messages = warning;
GRANT gangd_owner TO gangd_migrate;
GRANT pg_monitor TO gangd_migrate;
SELECT format('ALTER DATABASE %I OWNER TO gangd_owner', current_database())
\gexec

-- The daemon, and gangd-push, set these five for their sessions with the
-- coordinator, and they stay there.  lock_timeout is 40 % of
-- GANGD_DATABASE_TIMEOUT_MS.
--
-- A load calls functions that read the seats of the same game, which lie on the same
-- worker.  Citus refuses statements in a function that it has pushed to a worker,
-- unless the last one is on, since it does not know that they stay there.
SELECT format('ALTER ROLE %I SET %s = %L', role, name, value)
  FROM (VALUES ('gangd_app'), ('gangd_push')) AS sender (role),
       (VALUES ('lock_timeout', '360ms'),
               ('client_connection_check_interval', '1s'),
               ('tcp_keepalives_idle', '5s'),
               ('tcp_keepalives_interval', '5s'),
               ('tcp_keepalives_count', '3'))
       AS setting (name, value)
\gexec
SELECT format('ALTER ROLE %I SET citus.allow_nested_distributed_execution = on', role)
  FROM (VALUES ('gangd_app'), ('gangd_push'), ('gangd_migrate')) AS sender (role)
\gexec
