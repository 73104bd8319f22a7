-- Changes nothing.  A session that can call it has loaded what functions of this
-- language need.
CREATE OR REPLACE FUNCTION gangd.ping()
RETURNS timestamptz
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	RETURN now();
END
$$;
