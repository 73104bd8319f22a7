-- The keyed hash of an address, or of a prefix of one: HMAC-SHA256 under the
-- secret that a migration drew.  It runs with the rights of its owner, since the
-- caller may not read the secret.  NULL for NULL.
CREATE OR REPLACE FUNCTION gangd.hash_address(address bytea)
RETURNS bytea
LANGUAGE sql STABLE STRICT SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
	SELECT sha256(outer_pad || sha256(inner_pad || address))
	FROM gangd.address_secret
$$;
