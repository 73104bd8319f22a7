-- Seat players in a game that was created, or changed, at this time by the same
-- statement; NULL: it was not, and nothing is written.  The players are given as one
-- array for each column, which may be empty.  Returns the time given.
CREATE OR REPLACE FUNCTION gangd.seat_players(
	the_game uuid,
	new_seats smallint[],
	new_names text[],
	new_name_keys text[],
	new_avatars text[], -- NULL: none
	new_token_hashes bytea[],
	new_bot_levels smallint[], -- NULL: a person
	new_client_references bytea[], -- encrypted; NULL: none
	committed_at timestamptz
) RETURNS timestamptz
LANGUAGE plpgsql
SET search_path = gangd, pg_temp
AS $$
BEGIN
	IF committed_at IS NOT NULL AND cardinality(new_seats) > 0 THEN
		INSERT INTO gangd.seat (game_id, seat, name, name_key, avatar,
		                        token_hash, bot_level, client_reference)
		SELECT the_game, new.seat, new.name, new.name_key, new.avatar,
		       new.token_hash, new.bot_level, new.client_reference
		FROM unnest(new_seats, new_names, new_name_keys, new_avatars,
		            new_token_hashes, new_bot_levels,
		            new_client_references)
		     AS new(seat, name, name_key, avatar, token_hash, bot_level,
		            client_reference);
		PERFORM gangd.copy_seats(the_game);
	END IF;
	RETURN committed_at;
END
$$;
