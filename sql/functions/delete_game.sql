-- Delete a game, all that belongs to it and its invitation codes, if it still has
-- the version that was decided against.  Returns the time; NULL on a conflict, and
-- then nothing was deleted.
CREATE OR REPLACE FUNCTION gangd.delete_game(
	the_game uuid,
	loaded_version integer
)
RETURNS timestamptz
LANGUAGE plpgsql
SET search_path = gangd, pg_temp
AS $$
BEGIN
	DELETE FROM gangd.game
	WHERE game_id = the_game AND version = loaded_version;
	IF NOT FOUND THEN
		RETURN NULL;
	END IF;
	PERFORM gangd.delete_events(the_game);
	DELETE FROM gangd.idempotency_key WHERE game_id = the_game;
	DELETE FROM gangd.notification WHERE game_id = the_game;
	DELETE FROM gangd.invitation WHERE game_id = the_game;
	RETURN now();
END
$$;
