-- The first game of bots alone after the $1 oldest ones that are under way; no row: there
-- are no more than that.  The ids of games are in the order of their creation.  OFFSET 0
-- has the games of bots looked up before they are sorted: without statistics the server
-- would rather walk through all games by their ids.
SELECT game_id
FROM (
	SELECT game_id FROM gangd.game
	WHERE bot_due_at IS NOT NULL AND bots = seats_count
	OFFSET 0
) AS due
ORDER BY game_id
OFFSET $1::integer LIMIT 1
