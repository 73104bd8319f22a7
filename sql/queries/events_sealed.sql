-- All that happened, with the sealed parts; for the operator's replay.
SELECT version, at, type, seat, heist, color, open, secret, sealed
FROM gangd.event
WHERE game_id = $1
ORDER BY version
