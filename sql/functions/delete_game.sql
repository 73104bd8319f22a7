-- Delete a game, all that belongs to it and its invitation.  Returns the
-- time, or NULL when there is no such game.
CREATE OR REPLACE FUNCTION gangd.delete_game(the_game uuid)
RETURNS timestamptz
LANGUAGE plpgsql
SET search_path = gangd, pg_temp
AS $$
DECLARE
	old_code text;
BEGIN
	DELETE FROM gangd.game WHERE game_id = the_game
	RETURNING invite_code INTO old_code;
	IF NOT FOUND THEN
		RETURN NULL;
	END IF;
	DELETE FROM gangd.invitation
	WHERE code = old_code AND game_id = the_game;
	RETURN now();
END
$$;
