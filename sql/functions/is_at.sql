-- Does the game still have the version that was decided against?  Then nobody
-- changes it before this transaction ends.
CREATE OR REPLACE FUNCTION gangd.is_at(
	the_game uuid,
	loaded_version integer
) RETURNS boolean
LANGUAGE plpgsql
SET search_path = gangd, pg_temp
AS $$
BEGIN
	PERFORM FROM gangd.game
	WHERE game_id = the_game AND version = loaded_version
	FOR UPDATE;
	RETURN FOUND;
END
$$;
