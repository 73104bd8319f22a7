-- The taken seats of a game as bytes, for game.seats: of each, in ascending order,
-- the number (one byte), the token hash (32), the length of the text in bytes (two)
-- and the text in UTF-8: the name, and after a line feed the avatar, if there is
-- one.  For a bot the avatar, or nothing, and the level always follow the name, each
-- after a line feed.  No bytes when no seat is taken.
CREATE OR REPLACE FUNCTION gangd.pack_seats(the_game uuid)
RETURNS bytea
LANGUAGE plpgsql STABLE
SET search_path = gangd, pg_temp
AS $$
BEGIN
	RETURN (
		SELECT coalesce(string_agg(
			substr(int2send(seat.seat), 2) || seat.token_hash ||
			int2send(octet_length(seat.text_utf8)::smallint) ||
			seat.text_utf8, '' ORDER BY seat.seat), '')
		FROM (
			SELECT s.seat, s.token_hash,
			       convert_to(CASE WHEN s.bot_level IS NULL
				       THEN concat_ws(E'\n', s.name, s.avatar)
				       ELSE concat_ws(E'\n', s.name,
				                      coalesce(s.avatar, ''),
				                      s.bot_level)
				       END, 'UTF8') AS text_utf8
			FROM gangd.seat AS s
			WHERE s.game_id = the_game
		) AS seat);
END
$$;
