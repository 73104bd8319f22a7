-- Renew push_seats in a game's row, which is locked, after a change of its
-- subscriptions or client references: a new revision of the row.
CREATE OR REPLACE FUNCTION gangd.mark_push_seats(the_game uuid)
RETURNS void
LANGUAGE plpgsql
SET search_path = gangd, pg_temp
AS $$
DECLARE
	new_push_seats smallint := gangd.find_push_seats(the_game);
BEGIN
	UPDATE gangd.game SET push_seats = new_push_seats, revision = revision + 1
	WHERE game_id = the_game;
END
$$;
