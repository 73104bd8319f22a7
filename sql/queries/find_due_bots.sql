-- Up to $1 games whose bots are due, the one that has waited longest first.  They are
-- not taken: take_bot does that, for one game, where no statement may lock rows of
-- several ones.  The games of a server that is away are left out.
SELECT game_id, version, 0
FROM gangd.ask_games(format($query$
	SELECT game_id, version, bot_due_at
	FROM @game
	WHERE bot_due_at <= now()
	ORDER BY bot_due_at
	LIMIT %s$query$, $1::integer)) AS told,
LATERAL json_to_record(told) AS due (
	game_id uuid, version integer, bot_due_at timestamptz)
ORDER BY bot_due_at
LIMIT $1::integer
