-- The game that was created under an idempotency key.
SELECT game_id, request_hash, sealed FROM gangd.creation_key
WHERE key_hash = $1
