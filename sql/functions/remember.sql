-- Note with a change, if it was kept, the key it was asked for under; returns
-- the time that it was given.
CREATE OR REPLACE FUNCTION gangd.remember(
	the_game uuid,
	new_key_hash bytea,
	new_request_hash bytea,
	new_location uuid,
	new_sealed bytea,
	kept_at timestamptz -- NULL: nothing was kept
) RETURNS timestamptz
LANGUAGE plpgsql
SET search_path = gangd, pg_temp
AS $$
BEGIN
	IF kept_at IS NOT NULL THEN
		INSERT INTO gangd.idempotency_key (game_id, key_hash,
			request_hash, location, sealed)
		VALUES (the_game, new_key_hash, new_request_hash, new_location,
		        new_sealed);
	END IF;
	RETURN kept_at;
END
$$;
