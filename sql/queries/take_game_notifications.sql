-- As take_notifications, of the game $1 alone, where no statement may lock rows of
-- several ones: up to $2 for Web Push, with the delay $3, and up to $4 for the webhook,
-- with the delay $5; the lease is $6.  Each service has room for $7, less the $9 that are
-- on their way to the service $8.
WITH found AS (
	SELECT n.game_id, n.version, n.seat, n.target, n.place, n.due_at,
	       n.service, row_number() OVER (
		PARTITION BY n.service ORDER BY n.place, n.due_at) AS number
	FROM gangd.notification AS n
	WHERE n.game_id = $1 AND n.target <> decode(repeat('00', 32), 'hex')
	  AND n.due_at <= now() - $3::integer * interval '1 millisecond'
), push AS (
	SELECT found.version, found.seat, found.target, found.due_at
	FROM found
	LEFT JOIN unnest($8::bytea[], $9::integer[]) AS used(hash, count)
		ON used.hash = found.service
	WHERE found.number <= $7::integer - coalesce(used.count, 0)
	ORDER BY found.place, found.due_at
	LIMIT $2::integer
), webhook AS (
	SELECT n.version, n.seat, n.target, n.due_at
	FROM gangd.notification AS n
	WHERE n.game_id = $1 AND n.target = decode(repeat('00', 32), 'hex')
	  AND n.due_at <= now() - $5::integer * interval '1 millisecond'
	ORDER BY n.due_at
	LIMIT $4::integer
), due AS (
	SELECT n.version, n.seat, n.target
	FROM (SELECT * FROM push UNION ALL SELECT * FROM webhook) AS one
	JOIN gangd.notification AS n
		ON n.game_id = $1 AND n.version = one.version
		AND n.seat = one.seat AND n.target = one.target
		AND n.due_at = one.due_at
	FOR NO KEY UPDATE OF n SKIP LOCKED
), taken AS (
	UPDATE gangd.notification AS n
	SET due_at = now() + interval '1 millisecond' * ($6::integer -
		CASE WHEN n.target = decode(repeat('00', 32), 'hex')
		THEN $5::integer ELSE $3::integer END)
	FROM due
	WHERE n.game_id = $1 AND n.version = due.version
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
JOIN gangd.game AS g ON g.game_id = $1
LEFT JOIN gangd.seat AS s
	ON s.game_id = $1 AND s.seat = taken.seat
LEFT JOIN gangd.seat AS host
	ON host.game_id = $1 AND host.seat = g.host
LEFT JOIN gangd.push_subscription AS p
	ON p.game_id = $1 AND p.token_hash = s.token_hash
	AND p.endpoint_hash = taken.target
