-- Public games that wait for players, the newest first: before $1, of ruleset
-- $2 and mode $3 (NULL: any), with at least $4 free seats, at most $5.
SELECT g.game_id, g.ruleset, g.mode, g.spectators, g.seats_max, g.seats_count,
       g.created_at, s.name
FROM gangd.game AS g
LEFT JOIN gangd.seat AS s ON s.game_id = g.game_id AND s.seat = g.host
WHERE g.is_public AND g.status = 'lobby' AND g.game_id < $1
  AND ($2::smallint IS NULL OR g.ruleset = $2)
  AND ($3::text IS NULL OR g.mode = $3)
  AND g.seats_max - g.seats_count >= $4::integer
ORDER BY g.game_id DESC
LIMIT $5::integer
