-- Renew push_seats in a game's row, which is locked, after a change of its
-- subscriptions or client references.  The row changes also if they stay the same:
-- commit_moves_full of earlier releases, which reads the subscriptions as they were
-- when it began, leaves out a game whose row has changed since.
CREATE OR REPLACE FUNCTION gangd.mark_push_seats(the_game uuid)
RETURNS void
LANGUAGE plpgsql
SET search_path = gangd, pg_temp
AS $$
DECLARE
	new_push_seats smallint := gangd.find_push_seats(the_game);
BEGIN
	UPDATE gangd.game SET push_seats = new_push_seats
	WHERE game_id = the_game;
END
$$;
