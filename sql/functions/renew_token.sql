-- Give the player of a seat another token, in a game that was changed at this time
-- by the same statement, which has locked its row; NULL: it was not, and nothing is
-- written.  Returns the time given.
--
-- It also records that the player was seen: the request was noted under the old
-- token, by which update_last_seen.sql finds no seat any more.  The subscriptions
-- and the code of the old token go: somebody who has read it may have made some.
CREATE OR REPLACE FUNCTION gangd.renew_token(
	the_game uuid,
	the_seat smallint,
	new_token_hash bytea,
	committed_at timestamptz
) RETURNS timestamptz
LANGUAGE plpgsql
SET search_path = gangd, pg_temp
AS $$
BEGIN
	IF committed_at IS NOT NULL THEN
		PERFORM gangd.forget_devices(the_game, the_seat);
		DELETE FROM gangd.notification
		WHERE game_id = the_game AND seat = the_seat
		  AND target <> decode(repeat('00', 32), 'hex');
		UPDATE gangd.seat
		SET token_hash = new_token_hash,
		    last_seen = date_bin('10 seconds', now(), 'epoch')
		WHERE game_id = the_game AND seat = the_seat;
		PERFORM gangd.copy_seats(the_game);
	END IF;
	RETURN committed_at;
END
$$;
