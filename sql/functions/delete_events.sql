-- Delete the events of a game that the same transaction has deleted.  It runs with
-- the rights of its owner, since the caller may not delete events; those of a game
-- that exists stay.
CREATE OR REPLACE FUNCTION gangd.delete_events(the_game uuid)
RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = gangd, pg_temp
AS $$
BEGIN
	DELETE FROM gangd.event
	WHERE game_id = the_game
	  AND NOT EXISTS (SELECT FROM gangd.game WHERE game_id = the_game);
END
$$;
