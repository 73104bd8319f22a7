-- Commit a decided move, whole or not at all, if the game still has the version
-- that the move was decided against; and record what goes with it.  Returns the time
-- of the commit; NULL on a conflict (another version or revision, or no such game), and
-- then nothing was written.  A conflict is a result and not an error: it is normal here,
-- and errors fill the server's log.
--
-- If the game has bots and has started, a daemon is to look whether one of them
-- moves.
--
-- The events are given as one array for each column, in the order of the events.
CREATE OR REPLACE FUNCTION gangd.commit_and_record(
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
	-- The notifications, as notify_seats takes them; told_seats is NULL: none.
	told_seats smallint[],
	told_codes smallint[],
	done_seats smallint[],
	for_webhook boolean,
	-- NULL: the revision does not matter.
	loaded_revision integer DEFAULT NULL,
	-- NULL: they stay the same.
	new_recent_keys bytea DEFAULT NULL
) RETURNS timestamptz
LANGUAGE plpgsql
SET search_path = gangd, pg_temp
AS $$
DECLARE
	lacks_seats boolean;
	moment timestamptz := now(); -- now() itself may not be in a CASE here
BEGIN
	UPDATE gangd.game
	SET version = loaded_version + cardinality(event_types),
	    updated_at = now(),
	    status = new_status,
	    seats_max = new_seats_max,
	    seats_count = new_seats_count,
	    host = new_host,
	    state = new_state,
	    recent_keys = coalesce(new_recent_keys, recent_keys),
	    creator_address_hash =
		    CASE WHEN new_status = 'lobby' THEN creator_address_hash END,
	    creator_site_hash =
		    CASE WHEN new_status = 'lobby' THEN creator_site_hash END,
	    bot_due_at = CASE WHEN bots > 0 AND new_status <> 'lobby'
		    THEN moment END
	WHERE game_id = the_game AND version = loaded_version
	  AND (loaded_revision IS NULL OR revision = loaded_revision)
	RETURNING seats IS NULL INTO lacks_seats;
	IF NOT FOUND THEN
		RETURN NULL;
	END IF;
	INSERT INTO gangd.event (game_id, version, type, seat, heist, color,
	                         public_data, private_data, replay_data)
	SELECT the_game, loaded_version + e.place, e.type, e.seat, e.heist,
	       e.color, e.public_data, e.private_data, e.replay_data
	FROM unnest(event_types, event_seats, event_heists, event_colors,
	            event_public_data, event_private_data, event_replay_data)
	     WITH ORDINALITY
	     AS e(type, seat, heist, color, public_data, private_data,
	          replay_data, place);
	IF lacks_seats THEN
		PERFORM gangd.copy_seats(the_game);
	END IF;
	IF told_seats IS NOT NULL THEN
		PERFORM gangd.notify_seats(
			the_game => the_game,
			new_version => loaded_version + cardinality(event_types),
			told_seats => told_seats, told_codes => told_codes,
			done_seats => done_seats, for_webhook => for_webhook,
			committed_at => now());
	END IF;
	RETURN now();
END
$$;
