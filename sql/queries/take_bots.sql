-- Take up to $1 games whose bots are due, the one that has waited longest first: each
-- with its version, and the milliseconds since it changed.  No other daemon gets them
-- for the next three seconds, the lease; one that holds a game's row is not waited for.
WITH due AS (
	SELECT game_id FROM gangd.game
	WHERE bot_due_at <= now()
	ORDER BY bot_due_at
	LIMIT $1::integer
	FOR NO KEY UPDATE SKIP LOCKED
)
UPDATE gangd.game AS g
SET bot_due_at = now() + interval '3 seconds'
FROM due
WHERE g.game_id = due.game_id
RETURNING g.game_id, g.version,
	least(extract(epoch FROM now() - g.updated_at) * 1000,
	      1000000)::integer
