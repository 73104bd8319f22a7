-- Among the games $1 with versions $2, those that have another version now, and which;
-- NULL for a game that is gone.  The rows are found by $1 itself: a PostgreSQL that
-- is spread over servers would otherwise collect the whole table for the join.
SELECT seen.game_id, g.version
FROM unnest($1::uuid[], $2::integer[]) AS seen(game_id, version)
LEFT JOIN (
	SELECT game_id, version FROM gangd.game
	WHERE game_id = ANY($1::uuid[])
) AS g ON g.game_id = seen.game_id
WHERE g.version IS DISTINCT FROM seen.version
