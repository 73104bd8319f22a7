-- Lock a game until the end of the transaction.  False, and nothing is locked,
-- when it no longer has the version that was decided against.
CREATE OR REPLACE FUNCTION gangd.lock_game(
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
