-- Ask all games: the rows of a query on the tables that it names @game and @seat, as
-- JSON.  If the tables are spread over servers and one of them is away, its games are left
-- out.  It fails if no server answers, and with any other error.
CREATE OR REPLACE FUNCTION gangd.ask_games(query text)
RETURNS SETOF json
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	answer record;
	answered boolean := false;
BEGIN
	RETURN QUERY EXECUTE 'SELECT to_json(found) FROM (' ||
		replace(replace(query, '@game', 'gangd.game'),
		        '@seat', 'gangd.seat') || ') AS found';
EXCEPTION WHEN connection_exception OR connection_failure OR admin_shutdown
	OR crash_shutdown OR cannot_connect_now THEN
	IF to_regclass('pg_catalog.pg_dist_shard') IS NULL THEN
		RAISE;
	END IF;
	-- One statement for each server, with all its shards.
	FOR answer IN EXECUTE $ask$
		SELECT success, result
		FROM (SELECT array_agg(host) AS hosts, array_agg(port) AS ports,
		             array_agg(format('SELECT coalesce(json_agg(to_json('
		                              'found)), ''[]'') FROM (%s) AS found',
		                              parts)) AS queries
		      FROM (SELECT nodename::text AS host, nodeport AS port,
		                   string_agg('(' || replace(replace($1,
		                       '@game', 'gangd.game_' || game.shardid),
		                       '@seat', 'gangd.seat_' || seat.shardid) || ')',
		                       ' UNION ALL ') AS parts
		            FROM pg_dist_shard AS game
		            JOIN pg_dist_shard AS seat USING (shardminvalue)
		            JOIN pg_dist_placement AS place
		                 ON place.shardid = game.shardid
		            JOIN pg_dist_node USING (groupid)
		            WHERE game.logicalrelid = 'gangd.game'::regclass
		              AND seat.logicalrelid = 'gangd.seat'::regclass
		              AND noderole = 'primary' AND place.shardstate = 1
		            GROUP BY 1, 2) AS server) AS asked,
		     LATERAL master_run_on_worker(hosts, ports, queries, true) AS told$ask$
		USING query
	LOOP
		IF answer.success THEN
			answered := true;
			RETURN QUERY SELECT json_array_elements(answer.result::json);
		ELSIF answer.result !~* 'connect|terminat|shut|starting|recover' THEN
			RAISE EXCEPTION '%', answer.result;
		END IF;
	END LOOP;
	IF NOT answered THEN
		RAISE connection_failure USING MESSAGE = 'no server answers';
	END IF;
END
$$;
