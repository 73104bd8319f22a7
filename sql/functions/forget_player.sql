-- Remove the subscriptions, the client_reference and the notifications, sent or not, of
-- the player of a seat; and the code for another device.  The game's row is
-- locked.
CREATE OR REPLACE FUNCTION gangd.forget_player(
	the_game uuid,
	the_seat smallint
) RETURNS void
LANGUAGE plpgsql
SET search_path = gangd, pg_temp
AS $$
BEGIN
	PERFORM gangd.forget_devices(the_game, the_seat);
	DELETE FROM gangd.notification
	WHERE game_id = the_game AND seat = the_seat;
	UPDATE gangd.seat SET client_reference = NULL
	WHERE game_id = the_game AND seat = the_seat;
	PERFORM gangd.mark_push_seats(the_game);
END
$$;
