-- Keep a move by which a seat becomes free, whole or not at all, if the game
-- still has the version it was decided against.  With closes_up the seats
-- behind it move up by one; with a new code the old one invites no more, but
-- still leads here, for those who joined by it and ask again.
-- Returns the time, or NULL when the game has moved on or is gone, or when
-- the new code is in use; then nothing was written.
CREATE OR REPLACE FUNCTION gangd.leave(
	the_game uuid,
	loaded_version integer,
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
	event_sealeds bytea[],
	leaving_seat smallint,
	closes_up boolean,
	new_invite_code text -- NULL: the same as before
) RETURNS timestamptz
LANGUAGE plpgsql
SET search_path = gangd, pg_temp
AS $$
BEGIN
	PERFORM FROM gangd.game
	WHERE game_id = the_game AND version = loaded_version
	FOR UPDATE;
	IF NOT FOUND THEN
		RETURN NULL;
	END IF;
	IF new_invite_code IS NOT NULL THEN
		INSERT INTO gangd.invitation (code, game_id)
		VALUES (new_invite_code, the_game)
		ON CONFLICT DO NOTHING;
		IF NOT FOUND THEN
			RETURN NULL;
		END IF;
		UPDATE gangd.game SET invite_code = new_invite_code
		WHERE game_id = the_game;
	END IF;

	DELETE FROM gangd.seat
	WHERE game_id = the_game AND seat = leaving_seat;
	IF closes_up THEN
		-- One after the other: a seat's number is free before it is taken.
		FOR behind IN leaving_seat + 1 .. 6 LOOP
			UPDATE gangd.seat SET seat = behind - 1
			WHERE game_id = the_game AND seat = behind;
		END LOOP;
	END IF;
	RETURN gangd.act(
		the_game, loaded_version, new_status, new_seats_max,
		new_seats_count, new_host, new_state, event_types, event_seats,
		event_heists, event_colors, event_opens, event_secrets,
		event_sealeds, NULL, NULL, NULL, NULL);
END
$$;
