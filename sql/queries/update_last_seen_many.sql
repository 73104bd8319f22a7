-- As update_last_seen, in one statement for the tokens $2 in games $1 and versions $3.  A
-- seat that another transaction has locked is skipped: its player's next request
-- records it.  For the host of a public game in the lobby (1 in $4), the game's
-- host_last_seen is set too, in steps of five minutes, for lobby.sql.
WITH seen AS (
	SELECT seat.game_id, seat.seat, seen.version
	FROM unnest($1::uuid[], $2::bytea[], $3::integer[])
		AS seen(game_id, token_hash, version)
	JOIN gangd.seat ON seat.game_id = seen.game_id
		AND seat.token_hash = seen.token_hash
	WHERE seat.last_seen < date_bin('10 seconds', now(), 'epoch')
	   OR seat.seen_version < seen.version
	ORDER BY seat.game_id, seat.seat
	FOR NO KEY UPDATE OF seat SKIP LOCKED
), updated AS (
	UPDATE gangd.seat
	SET last_seen = date_bin('10 seconds', now(), 'epoch'),
	    seen_version = greatest(seat.seen_version, newest.version)
	FROM (
		SELECT game_id, seat, max(version) AS version
		FROM seen
		GROUP BY game_id, seat
	) AS newest
	WHERE seat.game_id = newest.game_id AND seat.seat = newest.seat
	RETURNING 1
), waiting AS (
	SELECT game.game_id
	FROM unnest($1::uuid[], $4::smallint[]) AS seen(game_id, is_host)
	JOIN gangd.game ON game.game_id = seen.game_id
	WHERE seen.is_host = 1 AND game.is_public AND game.status = 'lobby'
	  AND game.host_last_seen < date_bin('5 minutes', now(), 'epoch')
	ORDER BY game.game_id
	FOR NO KEY UPDATE OF game SKIP LOCKED
), listed AS (
	UPDATE gangd.game
	SET host_last_seen = date_bin('5 minutes', now(), 'epoch')
	FROM waiting
	WHERE game.game_id = waiting.game_id
	RETURNING 1
)
SELECT now() FROM (SELECT count(*) FROM updated) AS done,
	(SELECT count(*) FROM listed) AS also
