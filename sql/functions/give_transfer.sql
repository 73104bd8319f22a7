-- Give a seat a code for another device.  It takes the place of the seat's earlier
-- one.  Returns the time; NULL when the game is gone, and then nothing was written.
CREATE OR REPLACE FUNCTION gangd.give_transfer(
	the_game uuid,
	the_token_hash bytea,
	new_code_hash bytea,
	new_sealed bytea
) RETURNS timestamptz
LANGUAGE plpgsql
SET search_path = gangd, pg_temp
AS $$
BEGIN
	PERFORM FROM gangd.game WHERE game_id = the_game FOR KEY SHARE;
	IF NOT FOUND THEN
		RETURN NULL;
	END IF;
	INSERT INTO gangd.transfer (game_id, token_hash, code_hash, sealed)
	VALUES (the_game, the_token_hash, new_code_hash, new_sealed)
	ON CONFLICT (game_id, token_hash) DO UPDATE
	SET code_hash = excluded.code_hash, sealed = excluded.sealed,
	    claimed_by = NULL, at = excluded.at;
	RETURN now();
END
$$;
