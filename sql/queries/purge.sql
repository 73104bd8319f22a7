-- Delete some of the games that nobody has touched for so many days, and
-- tell how many.  Rows that are being changed this moment are left alone.
SELECT count(gangd.delete_game(old.game_id, old.version))
FROM (
	SELECT game_id, version
	FROM gangd.game
	WHERE updated_at < now() - make_interval(days => $1)
	LIMIT 1000
	FOR UPDATE SKIP LOCKED
) AS old
