-- Make a seat free, if the game still has the version that was decided against:
-- the first half of keeping a move by which somebody leaves.  With closes_up
-- the seats behind it move up by one; with a new code the old one invites no
-- more, but still leads here, for those who joined by it and ask again.
-- False when the game has moved on or is gone, or when the new code is in use;
-- then nothing was written.
CREATE OR REPLACE FUNCTION gangd.free_seat(
	the_game uuid,
	loaded_version integer,
	leaving_seat smallint,
	closes_up boolean,
	new_invite_code text -- NULL: the same as before
) RETURNS boolean
LANGUAGE plpgsql
SET search_path = gangd, pg_temp
AS $$
BEGIN
	IF NOT gangd.is_at(the_game, loaded_version) THEN
		RETURN false;
	END IF;
	IF new_invite_code IS NOT NULL THEN
		INSERT INTO gangd.invitation (code, game_id)
		VALUES (new_invite_code, the_game)
		ON CONFLICT DO NOTHING;
		IF NOT FOUND THEN
			RETURN false;
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
	RETURN true;
END
$$;
