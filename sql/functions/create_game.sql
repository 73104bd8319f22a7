-- Create a game with its first events and its first seat.  Returns the time of
-- the creation; NULL when the invitation code is in use, and then nothing was
-- written.
CREATE OR REPLACE FUNCTION gangd.create_game(
	the_game uuid,
	new_invite_code text,
	new_ruleset smallint,
	new_rules_version smallint,
	new_mode text,
	new_is_public boolean,
	new_spectators boolean,
	new_absence_seconds integer, -- NULL: none
	new_creator_address bytea, -- only its hash is stored; NULL: not even that
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
	-- For programs of earlier releases; see seat_players.
	joining_seat smallint DEFAULT NULL, -- NULL: nobody joins yet
	joining_name text DEFAULT NULL,
	joining_name_key text DEFAULT NULL,
	joining_token_hash bytea DEFAULT NULL
) RETURNS timestamptz
LANGUAGE plpgsql
SET search_path = gangd, pg_temp
AS $$
BEGIN
	INSERT INTO gangd.invitation (code, game_id)
	VALUES (new_invite_code, the_game)
	ON CONFLICT DO NOTHING;
	IF NOT FOUND THEN
		RETURN NULL;
	END IF;

	INSERT INTO gangd.game (game_id, version, ruleset, rules_version, mode,
	                        is_public, spectators, absence_seconds,
	                        creator_address_hash, creator_site_hash, status,
	                        seats_max, seats_count, host, invite_code, state)
	VALUES (the_game, cardinality(event_types), new_ruleset,
	        new_rules_version, new_mode, new_is_public, new_spectators,
	        new_absence_seconds,
	        CASE WHEN new_status = 'lobby' THEN
		        gangd.hash_address(new_creator_address) END,
	        CASE WHEN new_status = 'lobby' THEN
		        gangd.hash_address(
			        gangd.site_of(new_creator_address)) END,
	        new_status, new_seats_max, new_seats_count, new_host,
	        new_invite_code, new_state);

	IF joining_seat IS NOT NULL THEN
		INSERT INTO gangd.seat (game_id, seat, name, name_key, token_hash)
		VALUES (the_game, joining_seat, joining_name, joining_name_key,
		        joining_token_hash);
		PERFORM gangd.copy_seats(the_game);
	END IF;

	INSERT INTO gangd.event (game_id, version, type, seat, heist, color,
	                         public_data, private_data, replay_data)
	SELECT the_game, e.place, e.type, e.seat, e.heist, e.color,
	       e.public_data, e.private_data, e.replay_data
	FROM unnest(event_types, event_seats, event_heists, event_colors,
	            event_public_data, event_private_data, event_replay_data)
	     WITH ORDINALITY
	     AS e(type, seat, heist, color, public_data, private_data,
	          replay_data, place);
	RETURN now();
END
$$;
