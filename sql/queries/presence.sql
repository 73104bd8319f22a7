-- When the players of a game were heard of, and what time it is.
SELECT seat, seen_at, now() FROM gangd.seat WHERE game_id = $1
