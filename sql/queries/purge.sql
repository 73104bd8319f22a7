-- Delete up to 1,000 of the games that are unchanged for $1 days, and of those that
-- never started and whose players sent no request for a week; returns how many.
-- Rows that another transaction has locked are left for the next run.
SELECT count(gangd.delete_game(old.game_id, old.version))
FROM (
	SELECT game_id, version
	FROM gangd.game
	WHERE updated_at < now() - make_interval(days => $1)
	   OR (status = 'lobby' AND updated_at < now() - interval '7 days'
	       AND NOT EXISTS (
		SELECT FROM gangd.seat
		WHERE seat.game_id = game.game_id
		  AND seat.last_seen > now() - interval '7 days'))
	LIMIT 1000
	FOR UPDATE SKIP LOCKED
) AS old
