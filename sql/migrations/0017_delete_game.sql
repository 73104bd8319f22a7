-- delete_game deletes the idempotency keys and notifications of a game itself, before
-- the next migration takes away the foreign keys that do it.  A call that has begun
-- while that migration waits for its locks is of this function already.
--
-- compatible-from: 0012
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
