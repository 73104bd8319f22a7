-- Give the player of a seat another name or avatar, in a game that was changed at
-- this time by the same statement, which has locked its row; NULL: it was not, and
-- nothing is written.  Returns the time given.
CREATE OR REPLACE FUNCTION gangd.change_player(
	the_game uuid,
	the_seat smallint,
	new_name text, -- NULL: the same as before
	new_name_key text,
	new_avatar text, -- NULL: none
	committed_at timestamptz
) RETURNS timestamptz
LANGUAGE plpgsql
SET search_path = gangd, pg_temp
AS $$
BEGIN
	IF committed_at IS NOT NULL THEN
		UPDATE gangd.seat
		SET name = coalesce(new_name, name),
		    name_key = coalesce(new_name_key, name_key),
		    avatar = new_avatar
		WHERE game_id = the_game AND seat = the_seat;
		PERFORM gangd.copy_seats(the_game);
	END IF;
	RETURN committed_at;
END
$$;
