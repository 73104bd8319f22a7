-- Create a game under a key.  Returns the time, or NULL when the key or the
-- invitation's code is in use; then nothing was written.
CREATE OR REPLACE FUNCTION gangd.create_keyed(
	the_game uuid,
	new_invite_code text,
	new_ruleset smallint,
	new_rules_version smallint,
	new_mode text,
	new_is_public boolean,
	new_spectators boolean,
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
	joining_seat smallint,
	joining_name text,
	joining_name_key text,
	joining_token_hash bytea,
	new_key_hash bytea,
	new_request_hash bytea,
	new_sealed bytea
) RETURNS timestamptz
LANGUAGE plpgsql
SET search_path = gangd, pg_temp
AS $$
DECLARE
	kept_at timestamptz;
BEGIN
	-- Of two at once the second waits here for the first.
	INSERT INTO gangd.creation_key (key_hash, request_hash, game_id, sealed)
	VALUES (new_key_hash, new_request_hash, the_game, new_sealed)
	ON CONFLICT DO NOTHING;
	IF NOT FOUND THEN
		RETURN NULL;
	END IF;
	kept_at := gangd.create_game(
		the_game, new_invite_code, new_ruleset, new_rules_version,
		new_mode, new_is_public, new_spectators, new_status,
		new_seats_max, new_seats_count, new_host, new_state,
		event_types, event_seats, event_heists, event_colors,
		event_opens, event_secrets, event_sealeds, joining_seat,
		joining_name, joining_name_key, joining_token_hash);
	IF kept_at IS NULL THEN
		DELETE FROM gangd.creation_key WHERE key_hash = new_key_hash;
	END IF;
	RETURN kept_at;
END
$$;
