-- The first 48 bits of an IPv6 address: one site, such as a provider's customer or
-- a school, usually holds all addresses with that prefix.  NULL for an IPv4
-- address, which IPv6 maps to ::ffff:0:0/96.
CREATE OR REPLACE FUNCTION gangd.site_of(address bytea)
RETURNS bytea
LANGUAGE sql IMMUTABLE STRICT
SET search_path = pg_catalog, pg_temp
AS $$
	SELECT CASE WHEN substr(address, 1, 12) <>
		'\x00000000000000000000ffff' THEN substr(address, 1, 6) END
$$;
