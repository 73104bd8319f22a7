-- Where the games lie, if the tables are spread over servers: ranges of the hash of their
-- ids, which begin at 0 here, and the server of each.  No rows on a server alone.
CREATE OR REPLACE FUNCTION gangd.find_placements()
RETURNS TABLE (first_hash bigint, last_hash bigint, host text, port integer)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF to_regclass('pg_catalog.pg_dist_shard') IS NULL THEN
		RETURN;
	END IF;
	RETURN QUERY EXECUTE $query$
		SELECT shardminvalue::bigint + 2147483648,
		       shardmaxvalue::bigint + 2147483648,
		       nodename::text, nodeport::integer
		FROM pg_dist_shard
		JOIN pg_dist_placement USING (shardid)
		JOIN pg_dist_node USING (groupid)
		WHERE logicalrelid = 'gangd.game'::regclass
		  AND noderole = 'primary' AND shardstate = 1
		ORDER BY 1$query$;
END
$$;
