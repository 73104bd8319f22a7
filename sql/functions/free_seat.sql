-- Free the seat of a player who leaves or is removed, if the game still has the
-- version that was decided against; commit_move does the rest.  With closes_up
-- the seats after it move up by one.  A new invitation code replaces the old
-- one, which then admits nobody but still leads to the game, so that those who
-- joined by it can repeat their request.  False on a conflict, or when the new
-- code is in use; then nothing was written.
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
	IF NOT gangd.lock_game(the_game => the_game,
	                       loaded_version => loaded_version) THEN
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

	-- Remove the player's subscriptions and unsent notifications, too.
	PERFORM gangd.forget_player(the_game => the_game,
	                            the_seat => leaving_seat);
	DELETE FROM gangd.seat
	WHERE game_id = the_game AND seat = leaving_seat;
	IF closes_up THEN
		-- In ascending order: each number is free before it is taken.
		FOR behind IN leaving_seat + 1 .. 6 LOOP
			UPDATE gangd.seat SET seat = behind - 1
			WHERE game_id = the_game AND seat = behind;
		END LOOP;
	END IF;
	PERFORM gangd.copy_seats(the_game);
	RETURN true;
END
$$;
