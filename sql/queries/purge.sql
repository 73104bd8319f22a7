-- Delete some of the games that nobody has touched for so many days, and
-- tell how many.  A game that is being played this moment is left alone.
SELECT count(gangd.delete_game(old.game_id))
FROM (
	SELECT game_id
	FROM gangd.game
	WHERE updated_at < now() - make_interval(days => $1)
	LIMIT 1000
	FOR UPDATE SKIP LOCKED
) AS old
