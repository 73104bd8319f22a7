-- Which of these games ($1) are past these versions ($2), and how far: NULL for
-- one that is gone.
SELECT seen.game_id, g.version
FROM unnest($1::uuid[], $2::integer[]) AS seen(game_id, version)
LEFT JOIN gangd.game AS g ON g.game_id = seen.game_id
WHERE g.version IS DISTINCT FROM seen.version
