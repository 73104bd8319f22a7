-- Write the notifications of moves that commit_moves.sql has committed, as notify_seats
-- does of one game: of each seat the place of its move in games, and the code.  Returns
-- the time of the commit.
--
-- A notification that gangd-push has locked is not waited for, and stays.  If it is not
-- being sent, gangd-push drops it when it takes it next: the player was seen since.
CREATE OR REPLACE FUNCTION gangd.notify_games(
	games uuid[],
	loaded_versions integer[],
	events_counts integer[],
	committed integer[], -- the places of the moves that are committed
	told_places integer[],
	told_seats smallint[],
	told_codes smallint[],
	done_places integer[], -- of seats that the table waits for no more
	done_seats smallint[],
	for_webhook boolean -- there is a webhook, which is notified too
) RETURNS timestamptz
LANGUAGE plpgsql
SET search_path = gangd, pg_temp
AS $$
BEGIN
	WITH told AS (
		SELECT games[t.place] AS game_id,
		       loaded_versions[t.place] + events_counts[t.place] AS version,
		       t.seat, t.code
		FROM unnest(told_places, told_seats, told_codes)
		     AS t(place, seat, code)
		WHERE t.place = ANY(committed)
	), outdated AS (
		SELECT n.game_id, n.version, n.seat, n.target
		FROM (SELECT game_id, seat, code FROM told
		      UNION ALL
		      SELECT games[done.place], done.seat, 1
		      FROM unnest(done_places, done_seats) AS done(place, seat)
		      WHERE done.place = ANY(committed)
		) AS turn
		CROSS JOIN LATERAL (
			SELECT notification.game_id, notification.version,
			       notification.seat, notification.target
			FROM gangd.notification
			WHERE notification.game_id = turn.game_id
			  AND notification.seat = turn.seat
			  AND notification.due_at IS NOT NULL
			  AND NOT notification.is_replay
			  AND (notification.code = 1 -- YOUR_TURN of push/push_code.def
			       OR notification.code = turn.code)
			LIMIT 100
			FOR UPDATE SKIP LOCKED
		) AS n
	), deleted AS (
		DELETE FROM gangd.notification AS n
		USING outdated
		WHERE n.game_id = outdated.game_id
		  AND n.version = outdated.version
		  AND n.seat = outdated.seat AND n.target = outdated.target
	)
	INSERT INTO gangd.notification (game_id, version, seat, target, code,
	                                service, place)
	SELECT told.game_id, told.version, told.seat, target.hash, told.code,
	       target.service, target.place
	FROM told
	CROSS JOIN LATERAL (
		SELECT decode(repeat('00', 32), 'hex') AS hash,
		       '\x'::bytea AS service, 0 AS place
		WHERE for_webhook
		UNION ALL
		SELECT push.endpoint_hash, push.service,
		       least(row_number() OVER () - 1, 3)
		FROM (SELECT seat.token_hash FROM gangd.seat
		      WHERE seat.game_id = told.game_id
		        AND seat.seat = told.seat LIMIT 1) AS player
		CROSS JOIN LATERAL (
			SELECT p.endpoint_hash, p.service
			FROM gangd.push_subscription AS p
			WHERE p.game_id = told.game_id
			  AND p.token_hash = player.token_hash
			ORDER BY p.game_id, p.token_hash, p.endpoint_hash
			LIMIT 100) AS push
	) AS target;
	RETURN now();
END
$$;
