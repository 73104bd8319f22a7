-- The players of a game, which nobody else changes meanwhile (gangd.is_at), go
-- on in another that was just created: seats, names and tokens are taken over,
-- and vacant seats left out; nobody counts as absent there from the start.  The
-- log of the first gets one event more.  Returns the time that it was given;
-- NULL: nothing was created, and nothing is written.
CREATE OR REPLACE FUNCTION gangd.go_on(
	the_game uuid,
	loaded_version integer,
	event_type smallint,
	event_seat smallint,
	event_open bytea,
	event_sealed bytea,
	new_game uuid,
	created_at timestamptz
) RETURNS timestamptz
LANGUAGE plpgsql
SET search_path = gangd, pg_temp
AS $$
BEGIN
	IF created_at IS NULL THEN
		RETURN NULL;
	END IF;
	INSERT INTO gangd.seat (game_id, seat, name, name_key, token_hash)
	SELECT new_game, row_number() OVER (ORDER BY s.seat), s.name,
	       s.name_key, s.token_hash
	FROM gangd.seat AS s
	WHERE s.game_id = the_game;
	UPDATE gangd.game SET rematch_of = the_game WHERE game_id = new_game;

	UPDATE gangd.game
	SET version = loaded_version + 1, updated_at = now(),
	    rematch = new_game
	WHERE game_id = the_game;
	INSERT INTO gangd.event (game_id, version, type, seat, heist, color,
	                         open, secret, sealed)
	VALUES (the_game, loaded_version + 1, event_type, event_seat, 0, 0,
	        event_open, NULL, event_sealed);
	RETURN created_at;
END
$$;
