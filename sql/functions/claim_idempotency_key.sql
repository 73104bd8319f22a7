-- Claim an idempotency key for a game that is about to be created.  False when
-- the key is in use.  Of two transactions that claim the same key, the second
-- waits here for the end of the first.
CREATE OR REPLACE FUNCTION gangd.claim_idempotency_key(
	new_key_hash bytea,
	new_request_hash bytea,
	the_game uuid,
	new_sealed bytea
) RETURNS boolean
LANGUAGE plpgsql
SET search_path = gangd, pg_temp
AS $$
BEGIN
	INSERT INTO gangd.creation_key (key_hash, request_hash, game_id, sealed)
	VALUES (new_key_hash, new_request_hash, the_game, new_sealed)
	ON CONFLICT DO NOTHING;
	RETURN FOUND;
END
$$;
