-- Renew the copy of the seats in a game's row.  Every function that inserts,
-- deletes, moves or renames a seat, or changes its token, calls this after it, with
-- the game's row locked (tests/store checks it).
CREATE OR REPLACE FUNCTION gangd.copy_seats(the_game uuid)
RETURNS void
LANGUAGE plpgsql
SET search_path = gangd, pg_temp
AS $$
BEGIN
	UPDATE gangd.game SET seats = gangd.pack_seats(the_game)
	WHERE game_id = the_game;
END
$$;
