-- The taken seats of a game as bytes, for game.seats: of each, in ascending order,
-- the number (one byte), the token hash (32), the length of the name in bytes (two)
-- and the name in UTF-8.  No bytes when no seat is taken.
CREATE OR REPLACE FUNCTION gangd.pack_seats(the_game uuid)
RETURNS bytea
LANGUAGE plpgsql STABLE
SET search_path = gangd, pg_temp
AS $$
BEGIN
	RETURN (
		SELECT coalesce(string_agg(
			substr(int2send(seat.seat), 2) || seat.token_hash ||
			int2send(octet_length(seat.name_utf8)::smallint) ||
			seat.name_utf8, '' ORDER BY seat.seat), '')
		FROM (
			SELECT s.seat, s.token_hash,
			       convert_to(s.name, 'UTF8') AS name_utf8
			FROM gangd.seat AS s
			WHERE s.game_id = the_game
		) AS seat);
END
$$;
