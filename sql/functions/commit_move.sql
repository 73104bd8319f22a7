-- For programs of earlier releases: commit a decided move, as commit_and_record does
-- without a record; with the parameters at the end also seat a player.
CREATE OR REPLACE FUNCTION gangd.commit_move(
	the_game uuid,
	loaded_version integer,
	new_status text,
	new_seats_max smallint,
	new_seats_count smallint,
	new_host smallint,
	new_state bytea,
	event_types smallint[],
	event_seats smallint[],
	event_heists smallint[],
	event_colors smallint[],
	event_public_data bytea[],
	event_private_data bytea[],
	event_replay_data bytea[],
	joining_seat smallint DEFAULT NULL, -- NULL: nobody joins
	joining_name text DEFAULT NULL,
	joining_name_key text DEFAULT NULL,
	joining_token_hash bytea DEFAULT NULL
) RETURNS timestamptz
LANGUAGE plpgsql
SET search_path = gangd, pg_temp
AS $$
DECLARE
	committed_at timestamptz;
BEGIN
	committed_at := gangd.commit_and_record(
		the_game => the_game, loaded_version => loaded_version,
		new_status => new_status, new_seats_max => new_seats_max,
		new_seats_count => new_seats_count, new_host => new_host,
		new_state => new_state, event_types => event_types,
		event_seats => event_seats, event_heists => event_heists,
		event_colors => event_colors,
		event_public_data => event_public_data,
		event_private_data => event_private_data,
		event_replay_data => event_replay_data,
		told_seats => NULL, told_codes => NULL, done_seats => NULL,
		for_webhook => NULL, new_key_hash => NULL,
		new_request_hash => NULL, new_location => NULL,
		new_sealed => NULL);
	IF committed_at IS NOT NULL AND joining_seat IS NOT NULL THEN
		INSERT INTO gangd.seat (game_id, seat, name, name_key, token_hash)
		VALUES (the_game, joining_seat, joining_name, joining_name_key,
		        joining_token_hash);
		PERFORM gangd.copy_seats(the_game);
	END IF;
	RETURN committed_at;
END
$$;
