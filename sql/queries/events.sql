-- A page of the event log: events after version $2, up to $3, at most $4 of them.
SELECT version, at, type, seat, heist, color, public_data, private_data
FROM gangd.event
WHERE game_id = $1 AND version > $2 AND version <= $3
ORDER BY version
LIMIT $4::integer
