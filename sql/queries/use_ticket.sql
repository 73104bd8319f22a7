-- Use a ticket up: the hash of the token that it was given to, if it has not
-- expired.
DELETE FROM gangd.stream_ticket
WHERE game_id = $1 AND ticket_hash = $2 AND at >= now() - interval '30 seconds'
RETURNING token_hash
