-- Of the games $1 with versions $2, those that have another version now, and which;
-- NULL for a game that is gone.
SELECT seen.game_id, g.version
FROM unnest($1::uuid[], $2::integer[]) AS seen(game_id, version)
LEFT JOIN gangd.game AS g ON g.game_id = seen.game_id
WHERE g.version IS DISTINCT FROM seen.version
