-- Note who was heard of: the seats of games $1 with tokens $2.  One that is being
-- changed this moment is left alone; it will be heard of again.
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
)
SELECT now() FROM (SELECT count(*) FROM noted) AS done
