-- The seats of a game that ask for notifications, bit n for seat n: those with a
-- subscription, or with a client_reference.
CREATE OR REPLACE FUNCTION gangd.find_push_seats(the_game uuid)
RETURNS smallint
LANGUAGE plpgsql STABLE
SET search_path = gangd, pg_temp
AS $$
BEGIN
	RETURN (
		SELECT coalesce(bit_or(1 << seat.seat), 0)
		FROM gangd.seat
		WHERE seat.game_id = the_game
		  AND (seat.client_reference IS NOT NULL OR EXISTS (
			SELECT FROM gangd.push_subscription
			WHERE push_subscription.game_id = the_game
			  AND push_subscription.token_hash = seat.token_hash)));
END
$$;
