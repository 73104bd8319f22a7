-- Write the notifications of a change that was committed at this time by the same
-- statement; NULL: it was not, and nothing is written.  Of those that were not sent yet
-- to a seat, a newer one replaces the one with its code, and any that says that the table
-- waits; such a one goes, too, when the table waits for the seat no more.  Not so what
-- gangctl webhooks replay has asked for once more.  Returns the time given.
CREATE OR REPLACE FUNCTION gangd.notify_seats(
	the_game uuid,
	new_version integer,
	told_seats smallint[],
	told_codes smallint[],
	done_seats smallint[], -- that the table waits for no more
	for_webhook boolean, -- there is a webhook, which is notified too
	committed_at timestamptz
) RETURNS timestamptz
LANGUAGE plpgsql
SET search_path = gangd, pg_temp
AS $$
BEGIN
	IF committed_at IS NULL THEN
		RETURN NULL;
	END IF;
	DELETE FROM gangd.notification
	WHERE game_id = the_game AND due_at IS NOT NULL AND NOT is_replay
	  AND (code = 1 -- YOUR_TURN of push/push_code.def
	       AND seat = ANY(told_seats || done_seats)
	       OR EXISTS (SELECT FROM unnest(told_seats, told_codes)
	                  AS told(seat, code)
	                  WHERE told.seat = notification.seat
	                    AND told.code = notification.code));
	IF for_webhook THEN
		INSERT INTO gangd.notification (game_id, version, seat, target,
		                                code)
		SELECT the_game, new_version, told.seat,
		       decode(repeat('00', 32), 'hex'), told.code
		FROM unnest(told_seats, told_codes) AS told(seat, code);
	END IF;
	INSERT INTO gangd.notification (game_id, version, seat, target, code,
	                                service, place)
	SELECT the_game, new_version, told.seat, push_subscription.endpoint_hash,
	       told.code, push_subscription.service,
	       least(row_number() OVER (
		       PARTITION BY told.seat
		       ORDER BY push_subscription.endpoint_hash) - 1, 3)
	FROM unnest(told_seats, told_codes) AS told(seat, code)
	JOIN gangd.seat ON seat.game_id = the_game AND seat.seat = told.seat
	JOIN gangd.push_subscription
		ON push_subscription.game_id = the_game
		AND push_subscription.token_hash = seat.token_hash;
	RETURN committed_at;
END
$$;
