-- Give a claimed key up again if the game was not created (NULL); returns the
-- time that it was given.
CREATE OR REPLACE FUNCTION gangd.settle_claim(
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
