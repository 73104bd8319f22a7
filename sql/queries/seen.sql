-- Note who was heard of: the seats of games $1 with tokens $2.  One that is being
-- changed this moment is left alone; it will be heard of again.  Of the host of
-- a public game that waits for players it is noted in the game as well, in steps
-- of five minutes, for lobby.sql.
WITH heard AS (
	SELECT seat.game_id, seat.seat
	FROM unnest($1::uuid[], $2::bytea[]) AS heard(game_id, token_hash)
	JOIN gangd.seat ON seat.game_id = heard.game_id
		AND seat.token_hash = heard.token_hash
	WHERE seat.seen_at < date_bin('10 seconds', now(), 'epoch')
	ORDER BY seat.game_id, seat.seat
	FOR NO KEY UPDATE OF seat SKIP LOCKED
), noted AS (
	UPDATE gangd.seat
	SET seen_at = date_bin('10 seconds', now(), 'epoch')
	FROM heard
	WHERE seat.game_id = heard.game_id AND seat.seat = heard.seat
	RETURNING 1
), waiting AS (
	SELECT game.game_id
	FROM unnest($1::uuid[], $2::bytea[]) AS heard(game_id, token_hash)
	JOIN gangd.seat ON seat.game_id = heard.game_id
		AND seat.token_hash = heard.token_hash
	JOIN gangd.game ON game.game_id = heard.game_id
		AND game.host = seat.seat
	WHERE game.is_public AND game.status = 'lobby'
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
SELECT now() FROM (SELECT count(*) FROM noted) AS done,
	(SELECT count(*) FROM listed) AS also
