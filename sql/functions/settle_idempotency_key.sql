-- Release a claimed idempotency key if the game was not created (created_at is
-- NULL).  Returns created_at.
CREATE OR REPLACE FUNCTION gangd.settle_idempotency_key(
	claimed_key_hash bytea,
	created_at timestamptz
) RETURNS timestamptz
LANGUAGE plpgsql
SET search_path = gangd, pg_temp
AS $$
BEGIN
	IF created_at IS NULL THEN
		DELETE FROM gangd.creation_key
		WHERE key_hash = claimed_key_hash;
	END IF;
	RETURN created_at;
END
$$;
