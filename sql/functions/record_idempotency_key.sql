-- Record the idempotency key of a change that was committed at this time; NULL:
-- nothing was committed, and nothing is recorded.  Returns the time given.
CREATE OR REPLACE FUNCTION gangd.record_idempotency_key(
	the_game uuid,
	new_key_hash bytea,
	new_request_hash bytea,
	new_location uuid,
	new_sealed bytea,
	committed_at timestamptz
) RETURNS timestamptz
LANGUAGE plpgsql
SET search_path = gangd, pg_temp
AS $$
BEGIN
	IF committed_at IS NOT NULL THEN
		INSERT INTO gangd.idempotency_key (game_id, key_hash,
			request_hash, location, sealed)
		VALUES (the_game, new_key_hash, new_request_hash, new_location,
		        new_sealed);
	END IF;
	RETURN committed_at;
END
$$;
