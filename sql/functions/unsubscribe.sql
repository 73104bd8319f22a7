-- Remove subscriptions of a game, with their unsent notifications.  Returns the time,
-- also if nothing was removed; NULL when the game is gone.
CREATE OR REPLACE FUNCTION gangd.unsubscribe(
	the_game uuid,
	the_token_hash bytea, -- NULL: of all players
	endpoint_hashes bytea[] -- of one endpoint, under several keys; NULL: all
) RETURNS timestamptz
LANGUAGE plpgsql
SET search_path = gangd, pg_temp
AS $$
DECLARE
	the_seat smallint;
BEGIN
	PERFORM FROM gangd.game WHERE game_id = the_game FOR NO KEY UPDATE;
	IF NOT FOUND THEN
		RETURN NULL;
	END IF;
	SELECT seat INTO the_seat FROM gangd.seat
	WHERE game_id = the_game AND token_hash = the_token_hash;
	DELETE FROM gangd.push_subscription
	WHERE game_id = the_game
	  AND (the_token_hash IS NULL OR token_hash = the_token_hash)
	  AND (endpoint_hashes IS NULL OR endpoint_hash = ANY(endpoint_hashes));
	DELETE FROM gangd.notification
	WHERE game_id = the_game AND target <> decode(repeat('00', 32), 'hex')
	  AND (the_token_hash IS NULL OR seat = the_seat)
	  AND (endpoint_hashes IS NULL OR target = ANY(endpoint_hashes));
	PERFORM gangd.mark_push_seats(the_game);
	RETURN now();
END
$$;
