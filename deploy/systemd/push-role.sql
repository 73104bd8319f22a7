-- A role for gangd-push alone, which reads no card and changes no game.  Run this with
-- psql as a superuser, after gangctl migrate; it can be run again:
--
--   psql -X -v ON_ERROR_STOP=1 -d gangd -f push-role.sql
--
-- Then let gangd-push log in by it: GANGD_DATABASE_URL in /etc/gangd/push.env, with
-- user=gangd_push.  tests/operations/test_push_role.py sends by this role.
BEGIN;
-- No function of a restored database may take the place of PostgreSQL's.
SET LOCAL search_path = pg_catalog, pg_temp;
SELECT 'CREATE ROLE gangd_push LOGIN'
 WHERE 'gangd_push' NOT IN (SELECT rolname FROM pg_roles)
\gexec
SELECT format('GRANT CONNECT ON DATABASE %I TO gangd_push', current_database())
\gexec
REVOKE ALL ON ALL TABLES IN SCHEMA gangd FROM gangd_push;
GRANT USAGE ON SCHEMA gangd TO gangd_push;
GRANT SELECT ON gangd.schema_migration TO gangd_push;

-- To take and settle, and to forget what is gone.
GRANT SELECT, DELETE, UPDATE (due_at, attempts) ON gangd.notification TO gangd_push;
GRANT SELECT, DELETE ON gangd.push_subscription TO gangd_push;

-- Which player that is, by which name, and whether that one looks; of the game, no state.
-- Forgetting a subscription locks the game, and renews push_seats.
GRANT SELECT (game_id, seat, name, token_hash, last_seen, seen_version,
              client_reference)
	ON gangd.seat TO gangd_push;
-- The functions that run with the rights of their caller.
SELECT format('GRANT EXECUTE ON FUNCTION %s TO gangd_push', oid::regprocedure)
  FROM pg_proc
 WHERE pronamespace = 'gangd'::regnamespace AND NOT prosecdef
\gexec
GRANT SELECT (game_id, ruleset, mode, host, rematch, push_seats, revision),
	UPDATE (push_seats, revision)
	ON gangd.game TO gangd_push;
COMMIT;
