-- As take_notifications, of the game $1 alone, where no statement may lock rows of
-- several ones: up to $2 notifications, with the delays $3 and $4 and the lease $5.
WITH push AS (
	SELECT n.game_id, n.version, n.seat, n.target, n.due_at
	FROM gangd.notification AS n
	WHERE n.game_id = $1 AND n.target <> decode(repeat('00', 32), 'hex')
	  AND n.due_at <= now() - $3::integer * interval '1 millisecond'
	ORDER BY n.due_at
	LIMIT $2::integer
	FOR NO KEY UPDATE SKIP LOCKED
), webhook AS (
	SELECT n.game_id, n.version, n.seat, n.target, n.due_at
	FROM gangd.notification AS n
	WHERE n.game_id = $1 AND n.target = decode(repeat('00', 32), 'hex')
	  AND n.due_at <= now() - $4::integer * interval '1 millisecond'
	ORDER BY n.due_at
	LIMIT $2::integer
	FOR NO KEY UPDATE SKIP LOCKED
), due AS (
	SELECT * FROM push UNION ALL SELECT * FROM webhook
	ORDER BY due_at
	LIMIT $2::integer
), taken AS (
	UPDATE gangd.notification AS n
	SET due_at = now() + interval '1 millisecond' * ($5::integer -
		CASE WHEN n.target = decode(repeat('00', 32), 'hex')
		THEN $4::integer ELSE $3::integer END)
	FROM due
	WHERE n.game_id = $1 AND n.version = due.version
	  AND n.seat = due.seat AND n.target = due.target
	RETURNING n.*
)
SELECT taken.game_id, taken.version, taken.seat, taken.target,
       extract(microseconds FROM taken.due_at)::integer, taken.code,
       taken.attempts, taken.created_at,
       greatest(extract(epoch FROM taken.expires_at - now()), 0)::integer,
       NOT taken.is_replay AND coalesce(s.last_seen >
	       date_bin('10 seconds', taken.created_at, 'epoch'), false),
       CASE WHEN NOT taken.is_replay AND s.last_seen =
	       date_bin('10 seconds', taken.created_at, 'epoch')
       THEN greatest(62000 - 1000 * extract(epoch FROM now() - taken.created_at), 0)
       ELSE 0 END::integer,
       g.ruleset, g.rematch, s.client_reference, p.sealed
FROM taken
JOIN gangd.game AS g ON g.game_id = $1
LEFT JOIN gangd.seat AS s
	ON s.game_id = $1 AND s.seat = taken.seat
LEFT JOIN gangd.push_subscription AS p
	ON p.game_id = $1 AND p.token_hash = s.token_hash
	AND p.endpoint_hash = taken.target
