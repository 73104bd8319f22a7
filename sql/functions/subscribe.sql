-- Add a subscription of the player with a token, or renew the one with the same
-- endpoint.  Returns 1; 0 if the player has as many others as are allowed, and NULL
-- if no seat of the game has the token, and then nothing was written.
CREATE OR REPLACE FUNCTION gangd.subscribe(
	the_game uuid,
	the_token_hash bytea,
	new_endpoint_hash bytea,
	former_hashes bytea[], -- of the same endpoint, under other keys
	new_sealed bytea,
	subscriptions_max integer,
	new_service text -- whose keyed hash is stored
) RETURNS smallint
LANGUAGE plpgsql
SET search_path = gangd, pg_temp
AS $$
BEGIN
	PERFORM FROM gangd.game WHERE game_id = the_game FOR NO KEY UPDATE;
	IF NOT EXISTS (SELECT FROM gangd.seat
	               WHERE game_id = the_game AND token_hash = the_token_hash)
	THEN
		RETURN NULL;
	END IF;
	IF (SELECT count(*) FROM gangd.push_subscription
	    WHERE game_id = the_game AND token_hash = the_token_hash
	      AND endpoint_hash <> ALL(new_endpoint_hash || former_hashes))
	   >= subscriptions_max
	THEN
		RETURN 0;
	END IF;
	DELETE FROM gangd.push_subscription
	WHERE game_id = the_game AND token_hash = the_token_hash
	  AND endpoint_hash = ANY(former_hashes);
	INSERT INTO gangd.push_subscription (game_id, token_hash, endpoint_hash,
	                                     sealed, service)
	VALUES (the_game, the_token_hash, new_endpoint_hash, new_sealed,
	        substr(gangd.hash_address(convert_to('push ' || new_service,
	                                             'UTF8')), 1, 8))
	ON CONFLICT (game_id, token_hash, endpoint_hash)
		DO UPDATE SET sealed = excluded.sealed,
		              service = excluded.service;
	PERFORM gangd.mark_push_seats(the_game);
	RETURN 1;
END
$$;
