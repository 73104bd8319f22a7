-- Take game $1, as take_bots does it, if its bots are still due; else no row: it was
-- taken by another daemon.
WITH taken AS (
	UPDATE gangd.game
	SET bot_due_at = now() + interval '3 seconds'
	WHERE game_id = $1 AND bot_due_at <= now()
	RETURNING game_id, version, updated_at
)
SELECT game_id, version,
       least(extract(epoch FROM now() - updated_at) * 1000, 1000000)::integer
FROM taken
