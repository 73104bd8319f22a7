-- Take the players of a game, which lock_game has locked, over into the game that
-- was just created as its rematch: their seats (numbered anew, without the vacant
-- ones), names, avatars, token hashes, levels of bots, subscriptions and client
-- references.  last_seen begins anew, so that nobody counts as absent from the start.
-- Append the rematch's event to the log
-- of the first game.  Returns created_at; NULL: no game was created, and nothing is written.
CREATE OR REPLACE FUNCTION gangd.start_rematch(
	the_game uuid,
	loaded_version integer,
	event_type smallint,
	event_seat smallint,
	event_public_data bytea,
	event_replay_data bytea,
	new_game uuid,
	created_at timestamptz
) RETURNS timestamptz
LANGUAGE plpgsql
SET search_path = gangd, pg_temp
AS $$
BEGIN
	IF created_at IS NULL THEN
		RETURN NULL;
	END IF;
	INSERT INTO gangd.seat (game_id, seat, name, name_key, avatar,
	                        token_hash, bot_level, client_reference)
	SELECT new_game, row_number() OVER (ORDER BY s.seat), s.name,
	       s.name_key, s.avatar, s.token_hash, s.bot_level, s.client_reference
	FROM gangd.seat AS s
	WHERE s.game_id = the_game;
	INSERT INTO gangd.push_subscription (game_id, token_hash, endpoint_hash,
	                                     sealed, service)
	SELECT new_game, p.token_hash, p.endpoint_hash, p.sealed, p.service
	FROM gangd.push_subscription AS p
	WHERE p.game_id = the_game;
	PERFORM gangd.copy_seats(new_game);
	UPDATE gangd.game SET rematch_of = the_game WHERE game_id = new_game;
	UPDATE gangd.game
	SET version = loaded_version + 1, updated_at = now(),
	    rematch = new_game
	WHERE game_id = the_game;
	INSERT INTO gangd.event (game_id, version, type, seat, heist, color,
	                         public_data, private_data, replay_data)
	VALUES (the_game, loaded_version + 1, event_type, event_seat, 0, 0,
	        event_public_data, NULL, event_replay_data);
	RETURN created_at;
END
$$;
