-- The numbers of the seats whose players are stale, as digits of one string:
-- last_seen is more than half of absence_seconds ago.  NULL when there are none.
CREATE OR REPLACE FUNCTION gangd.find_stale_seats(
	the_game uuid,
	absence_seconds integer
) RETURNS text
LANGUAGE plpgsql STABLE
SET search_path = gangd, pg_temp
AS $$
BEGIN
	RETURN (
		SELECT string_agg(seat.seat::text, '')
		FROM gangd.seat
		WHERE seat.game_id = the_game
		  AND seat.last_seen <
		      now() - absence_seconds * interval '0.5 seconds');
END
$$;
