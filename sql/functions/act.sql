-- Keep a move, whole or not at all, if the game still has the version it was
-- decided against.  Returns the time it was kept, or NULL when the game has
-- moved on or is gone; then nothing was written.  That is an answer and not
-- an error, since it is normal here and errors fill the server's log.
--
-- The events are given as one array a column, in their order.
CREATE OR REPLACE FUNCTION gangd.act(
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
	event_opens bytea[],
	event_secrets bytea[],
	event_sealeds bytea[],
	joining_seat smallint, -- NULL: nobody joins
	joining_name text,
	joining_name_key text,
	joining_token_hash bytea
) RETURNS timestamptz
LANGUAGE plpgsql
SET search_path = gangd, pg_temp
AS $$
BEGIN
	UPDATE gangd.game
	SET version = loaded_version + cardinality(event_types),
	    updated_at = now(),
	    status = new_status,
	    seats_max = new_seats_max,
	    seats_count = new_seats_count,
	    host = new_host,
	    state = new_state,
	    made_from = CASE WHEN new_status = 'lobby' THEN made_from END,
	    made_from_site =
		    CASE WHEN new_status = 'lobby' THEN made_from_site END
	WHERE game_id = the_game AND version = loaded_version;
	IF NOT FOUND THEN
		RETURN NULL;
	END IF;

	INSERT INTO gangd.event (game_id, version, type, seat, heist, color,
	                         open, secret, sealed)
	SELECT the_game, loaded_version + e.place, e.type, e.seat, e.heist,
	       e.color, e.open, e.secret, e.sealed
	FROM unnest(event_types, event_seats, event_heists, event_colors,
	            event_opens, event_secrets, event_sealeds)
	     WITH ORDINALITY
	     AS e(type, seat, heist, color, open, secret, sealed, place);

	IF joining_seat IS NOT NULL THEN
		INSERT INTO gangd.seat (game_id, seat, name, name_key, token_hash)
		VALUES (the_game, joining_seat, joining_name, joining_name_key,
		        joining_token_hash);
	END IF;
	RETURN now();
END
$$;
