-- As find_bot_limit, where the games lie on several servers, of which those that are
-- away are left out.  The order is that of lobby_spread.
SELECT game_id
FROM gangd.ask_games(format($query$
	SELECT game_id
	FROM @game
	WHERE bot_due_at IS NOT NULL AND bots = seats_count
	ORDER BY uuid_send(game_id)
	LIMIT %s + 1$query$, $1::integer)) AS told,
LATERAL json_to_record(told) AS due (game_id uuid)
ORDER BY game_id
OFFSET $1::integer LIMIT 1
