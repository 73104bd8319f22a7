-- Create the game in which those of another go on: seats, names and tokens
-- are taken over, and vacant seats left out.  Whole or not at all, if the
-- other game still has the version it was decided against; its log gets one
-- event more.  Returns the time, or NULL when that game has moved on or is
-- gone, or when the invitation's code is in use; then nothing was written.
CREATE OR REPLACE FUNCTION gangd.rematch(
	the_game uuid,
	loaded_version integer,
	event_type smallint,
	event_seat smallint,
	event_open bytea,
	event_sealed bytea,
	new_game uuid,
	new_invite_code text,
	new_ruleset smallint,
	new_rules_version smallint,
	new_mode text,
	new_is_public boolean,
	new_spectators boolean,
	new_status text,
	new_seats_max smallint,
	new_seats_count smallint,
	new_host smallint,
	new_state bytea,
	event_types smallint[],
	event_seats smallint[],
	event_heists smallint[],
	event_colors smallint[],
	event_opens bytea[],
	event_secrets bytea[],
	event_sealeds bytea[]
) RETURNS timestamptz
LANGUAGE plpgsql
SET search_path = gangd, pg_temp
AS $$
DECLARE
	kept_at timestamptz;
BEGIN
	PERFORM FROM gangd.game
	WHERE game_id = the_game AND version = loaded_version
	FOR UPDATE;
	IF NOT FOUND THEN
		RETURN NULL;
	END IF;

	kept_at := gangd.create_game(
		new_game, new_invite_code, new_ruleset, new_rules_version,
		new_mode, new_is_public, new_spectators, new_status,
		new_seats_max, new_seats_count, new_host, new_state,
		event_types, event_seats, event_heists, event_colors,
		event_opens, event_secrets, event_sealeds,
		NULL, NULL, NULL, NULL);
	IF kept_at IS NULL THEN
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
	RETURN kept_at;
END
$$;
