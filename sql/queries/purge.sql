-- Delete some of the games that nobody has touched for so many days, and of those
-- that were never started and of whose players nobody was heard of for a week;
-- and tell how many.  Rows that are being changed this moment are left alone.
SELECT count(gangd.delete_game(old.game_id, old.version))
FROM (
	SELECT game_id, version
	FROM gangd.game
	WHERE updated_at < now() - make_interval(days => $1)
	   OR (status = 'lobby' AND updated_at < now() - interval '7 days'
	       AND NOT EXISTS (
		SELECT FROM gangd.seat
		WHERE seat.game_id = game.game_id
		  AND seat.seen_at > now() - interval '7 days'))
	LIMIT 1000
	FOR UPDATE SKIP LOCKED
) AS old
