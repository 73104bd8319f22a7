-- A page of what happened: after $2, up to $3, at most $4 events.
SELECT version, at, type, seat, heist, color, open, secret
FROM gangd.event
WHERE game_id = $1 AND version > $2 AND version <= $3
ORDER BY version
LIMIT $4::integer
