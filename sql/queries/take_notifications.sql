-- Take notifications: up to $1 for Web Push that have been due for $2 milliseconds, and
-- up to $3 for the webhook that have been due for $4, each with what its delivery needs.
-- Nobody else gets them for the next $5 milliseconds, the lease, which the microseconds of
-- its end name; one that somebody has locked is not waited for.
--
-- For each push service the number taken is its room: $6, less the $8 that are on their
-- way to the service $7.  So a slow service delays only its own notifications, and nothing
-- is taken that cannot be sent.  Within a service, those with a lower place come
-- first, so that a player with many subscriptions keeps nobody waiting; then the one that
-- has been due for longest.  Services and places are looked up one by one: it costs the
-- same however many are due.
--
-- A player watches who was sent the version of the change, or was seen later than in the
-- ten seconds of the commit.  A daemon records either within two seconds of the commit.  So
-- it is unsure for four, of a player who was seen in the last 75 seconds: one who waits
-- for a change sends a request every minute, and a silent stream counts once a minute.
WITH RECURSIVE service AS (
	(SELECT n.service AS hash
	 FROM gangd.notification AS n
	 WHERE n.due_at IS NOT NULL AND n.target <> decode(repeat('00', 32), 'hex')
	 ORDER BY n.service
	 LIMIT 1)
	UNION ALL
	SELECT (SELECT n.service
	        FROM gangd.notification AS n
	        WHERE n.due_at IS NOT NULL AND n.target <> decode(repeat('00', 32), 'hex')
	          AND n.service > service.hash
	        ORDER BY n.service
	        LIMIT 1)
	FROM service
	WHERE service.hash IS NOT NULL
), room AS (
	SELECT service.hash, greatest($6::integer - coalesce((
		SELECT used.count
		FROM unnest($7::bytea[], $8::integer[]) AS used(hash, count)
		WHERE used.hash = service.hash), 0), 0) AS count
	FROM service
	WHERE service.hash IS NOT NULL
), found AS (
	SELECT n.*, room.count, row_number() OVER (
		PARTITION BY room.hash ORDER BY n.place, n.due_at) AS number
	FROM room
	CROSS JOIN generate_series(0, 3) AS turn(place)
	CROSS JOIN LATERAL (
		SELECT n.game_id, n.version, n.seat, n.target, n.place, n.due_at
		FROM gangd.notification AS n
		WHERE n.service = room.hash AND n.place = turn.place
		  AND n.target <> decode(repeat('00', 32), 'hex')
		  AND n.due_at <= now() - $2::integer * interval '1 millisecond'
		ORDER BY n.due_at
		LIMIT room.count
	) AS n
), push AS (
	SELECT game_id, version, seat, target, due_at
	FROM found
	WHERE number <= count
	ORDER BY place, due_at
	LIMIT $1::integer
), webhook AS (
	SELECT n.game_id, n.version, n.seat, n.target, n.due_at
	FROM gangd.notification AS n
	WHERE n.target = decode(repeat('00', 32), 'hex')
	  AND n.due_at <= now() - $4::integer * interval '1 millisecond'
	ORDER BY n.due_at
	LIMIT $3::integer
), due AS (
	SELECT locked.*
	FROM (SELECT * FROM push UNION ALL SELECT * FROM webhook) AS one
	CROSS JOIN LATERAL (
		SELECT n.game_id, n.version, n.seat, n.target
		FROM gangd.notification AS n
		WHERE n.game_id = one.game_id AND n.version = one.version
		  AND n.seat = one.seat AND n.target = one.target
		  AND n.due_at = one.due_at
		LIMIT 1
		FOR NO KEY UPDATE SKIP LOCKED
	) AS locked
), taken AS (
	UPDATE gangd.notification AS n
	SET due_at = now() + interval '1 millisecond' * ($5::integer -
		CASE WHEN n.target = decode(repeat('00', 32), 'hex')
		THEN $4::integer ELSE $2::integer END)
	FROM due
	WHERE n.game_id = due.game_id AND n.version = due.version
	  AND n.seat = due.seat AND n.target = due.target
	RETURNING n.*
)
SELECT taken.game_id, taken.version, taken.seat, taken.target,
       extract(microseconds FROM taken.due_at)::integer, taken.service, taken.code,
       taken.attempts, taken.created_at,
       greatest(extract(epoch FROM taken.expires_at - now()), 0)::integer,
       NOT taken.is_replay AND coalesce(s.seen_version >= taken.version
	       OR s.last_seen > date_bin('10 seconds', taken.created_at, 'epoch'), false),
       CASE WHEN NOT taken.is_replay
	       AND s.last_seen > taken.created_at - interval '75 seconds'
       THEN greatest(4000 - 1000 * extract(epoch FROM now() - taken.created_at), 0)
       ELSE 0 END::integer,
       g.ruleset, g.mode, g.rematch, s.name, host.name, s.client_reference,
       p.token_hash, p.sealed
FROM taken
CROSS JOIN LATERAL (
	SELECT game.ruleset, game.mode, game.rematch, game.host
	FROM gangd.game
	WHERE game.game_id = taken.game_id
	LIMIT 1
) AS g
LEFT JOIN LATERAL (
	SELECT seat.seen_version, seat.last_seen, seat.name,
	       seat.client_reference, seat.token_hash
	FROM gangd.seat
	WHERE seat.game_id = taken.game_id AND seat.seat = taken.seat
	LIMIT 1
) AS s ON true
LEFT JOIN LATERAL (
	SELECT seat.name
	FROM gangd.seat
	WHERE seat.game_id = taken.game_id AND seat.seat = g.host
	LIMIT 1
) AS host ON true
LEFT JOIN LATERAL (
	SELECT push.token_hash, push.sealed
	FROM gangd.push_subscription AS push
	WHERE push.game_id = taken.game_id AND push.token_hash = s.token_hash
	  AND push.endpoint_hash = taken.target
	LIMIT 1
) AS p ON true
