-- Remove what belongs to the present token of a seat: its subscriptions, and the code for
-- another device.  The game's row is locked.
CREATE OR REPLACE FUNCTION gangd.forget_devices(
	the_game uuid,
	the_seat smallint
) RETURNS void
LANGUAGE plpgsql
SET search_path = gangd, pg_temp
AS $$
DECLARE
	present_hash bytea;
BEGIN
	SELECT token_hash INTO present_hash FROM gangd.seat
	WHERE game_id = the_game AND seat = the_seat;
	DELETE FROM gangd.push_subscription
	WHERE game_id = the_game AND token_hash = present_hash;
	DELETE FROM gangd.transfer
	WHERE game_id = the_game AND token_hash = present_hash;
END
$$;
