-- Let the bots of game $1 rest for $3 milliseconds, or with NULL until the game changes,
-- if it still has version $2: the time, or no row on a conflict.
WITH rested AS (
	UPDATE gangd.game
	SET bot_due_at = now() + $3::integer * interval '1 millisecond'
	WHERE game_id = $1 AND version = $2
	RETURNING 1
)
SELECT now() FROM rested
