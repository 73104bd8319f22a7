-- Give a seat a ticket for a stream.  Returns the time; NULL when the game is
-- gone, and then nothing was written.  Also deletes expired tickets of the game.
CREATE OR REPLACE FUNCTION gangd.give_ticket(
	the_game uuid,
	new_ticket_hash bytea,
	the_token_hash bytea
) RETURNS timestamptz
LANGUAGE plpgsql
SET search_path = gangd, pg_temp
AS $$
BEGIN
	PERFORM FROM gangd.game WHERE game_id = the_game FOR KEY SHARE;
	IF NOT FOUND THEN
		RETURN NULL;
	END IF;
	DELETE FROM gangd.stream_ticket
	WHERE game_id = the_game AND at < now() - interval '30 seconds';
	INSERT INTO gangd.stream_ticket (game_id, ticket_hash, token_hash)
	VALUES (the_game, new_ticket_hash, the_token_hash);
	RETURN now();
END
$$;
