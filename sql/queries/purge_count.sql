-- How many games purge.sql would delete in all.
SELECT count(*)
FROM gangd.game
WHERE updated_at < now() - make_interval(days => $1)
   OR (status = 'lobby' AND updated_at < now() - interval '7 days'
       AND NOT EXISTS (
	SELECT FROM gangd.seat
	WHERE seat.game_id = game.game_id
	  AND seat.last_seen > now() - interval '7 days'))
