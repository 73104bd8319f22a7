-- The whole event log with replay_data, for the operator's replay.
SELECT version, at, type, seat, heist, color, public_data, private_data,
       replay_data
FROM gangd.event
WHERE game_id = $1
ORDER BY version
