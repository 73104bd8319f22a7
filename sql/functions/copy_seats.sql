-- Renew the copy of the seats in a game's row, which of them ask for notifications, and
-- the number of its bots, as a new revision of the row; if it has bots and has started,
-- they are due.  Every function that inserts, deletes, moves or renames a seat, or changes
-- its token, calls this after it, with the game's row locked (tests/store checks it).
CREATE OR REPLACE FUNCTION gangd.copy_seats(the_game uuid)
RETURNS void
LANGUAGE plpgsql
SET search_path = gangd, pg_temp
AS $$
DECLARE
	new_bots smallint;
	moment timestamptz := now(); -- now() itself may not be in a CASE here
BEGIN
	SELECT count(*) INTO new_bots FROM gangd.seat
	WHERE seat.game_id = the_game AND seat.bot_level IS NOT NULL;
	UPDATE gangd.game
	SET seats = gangd.pack_seats(the_game),
	    push_seats = gangd.find_push_seats(the_game),
	    revision = revision + 1,
	    bots = new_bots,
	    bot_due_at = CASE WHEN new_bots > 0 AND status <> 'lobby'
		    THEN moment END
	WHERE game_id = the_game;
END
$$;
