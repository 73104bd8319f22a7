-- Distribute the functions of gangd.  A superuser runs this on the coordinator after
-- distribute.sql, and after each later gangctl migrate that applied functions:
--
--   psql -X -v ON_ERROR_STOP=1 -d gangd -f functions.sql
--
-- A call whose first argument is the id of a game is handed to the game's worker
-- as a whole, instead of its statements one by one.  The others only have to be
-- everywhere.
SELECT CASE proargnames[1]
	WHEN 'the_game' THEN format(
		'SELECT create_distributed_function(%L, %L, colocate_with => %L)',
		oid::regprocedure, proargnames[1], 'gangd.game')
	ELSE format('SELECT create_distributed_function(%L)', oid::regprocedure)
	END
FROM pg_proc
WHERE pronamespace = 'gangd'::regnamespace
ORDER BY oid
\gexec
