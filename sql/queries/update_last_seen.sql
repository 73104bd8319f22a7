-- Record that requests of the seats of game $1 with tokens $2 were received,
-- and answered with versions $3 of the game, for take_notifications.sql; 0: does not count.
-- A token may come twice, with two versions, of which the newer one counts.  A seat that
-- another transaction has locked is skipped: its player's next request
-- records it.  For the host of a public game in the lobby (1 in $4), the game's
-- host_last_seen is set too, in steps of five minutes, for lobby.sql.
WITH seen AS (
	SELECT seat.seat, seen.version
	FROM unnest($2::bytea[], $3::integer[]) AS seen(token_hash, version)
	JOIN gangd.seat ON seat.game_id = $1
		AND seat.token_hash = seen.token_hash
	WHERE seat.last_seen < date_bin('10 seconds', now(), 'epoch')
	   OR seat.seen_version < seen.version
	FOR NO KEY UPDATE OF seat SKIP LOCKED
), updated AS (
	UPDATE gangd.seat
	SET last_seen = date_bin('10 seconds', now(), 'epoch'),
	    seen_version = greatest(seat.seen_version, newest.version)
	FROM (
		SELECT seat, max(version) AS version
		FROM seen
		GROUP BY seat
	) AS newest
	WHERE seat.game_id = $1 AND seat.seat = newest.seat
	RETURNING 1
), waiting AS (
	SELECT game.host FROM gangd.game
	WHERE game_id = $1 AND is_public AND status = 'lobby'
	  AND host_last_seen < date_bin('5 minutes', now(), 'epoch')
	  AND 1 = ANY($4::smallint[])
	FOR NO KEY UPDATE SKIP LOCKED
), listed AS (
	UPDATE gangd.game
	SET host_last_seen = date_bin('5 minutes', now(), 'epoch')
	WHERE game_id = $1 AND host IN (SELECT waiting.host FROM waiting)
	RETURNING 1
)
SELECT now() FROM (SELECT count(*) FROM updated) AS done,
	(SELECT count(*) FROM listed) AS also
