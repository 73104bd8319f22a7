-- Seat a player in a game that was created, or changed, at this time by the same
-- statement; NULL: it was not, and nothing is written.  Returns the time given.
CREATE OR REPLACE FUNCTION gangd.take_seat(
	the_game uuid,
	the_seat smallint,
	new_name text,
	new_name_key text,
	new_avatar text, -- NULL: none
	new_token_hash bytea,
	committed_at timestamptz
) RETURNS timestamptz
LANGUAGE plpgsql
SET search_path = gangd, pg_temp
AS $$
BEGIN
	IF committed_at IS NOT NULL THEN
		INSERT INTO gangd.seat (game_id, seat, name, name_key, avatar,
		                        token_hash)
		VALUES (the_game, the_seat, new_name, new_name_key, new_avatar,
		        new_token_hash);
		PERFORM gangd.copy_seats(the_game);
	END IF;
	RETURN committed_at;
END
$$;
