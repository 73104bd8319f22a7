-- Take up to $1 notifications: those for Web Push that have been due for $2 milliseconds,
-- and those for the webhook that have been due for $3; the one that has been due for
-- longest first, each with what its delivery needs.  Nobody else gets them for the next
-- $4 milliseconds, the lease, which the microseconds of its end name; one that somebody
-- has locked is not waited for.
--
-- A player watches who was seen after the commit.  last_seen has steps of ten seconds:
-- who was seen in the step of the commit may have left before it.  One who watches is
-- seen again at the end of the longest wait, a minute, and recorded within two seconds;
-- so it is unsure for these milliseconds.
WITH push AS (
	SELECT n.game_id, n.version, n.seat, n.target, n.due_at
	FROM gangd.notification AS n
	WHERE n.target <> decode(repeat('00', 32), 'hex')
	  AND n.due_at <= now() - $2::integer * interval '1 millisecond'
	ORDER BY n.due_at
	LIMIT $1::integer
	FOR NO KEY UPDATE SKIP LOCKED
), webhook AS (
	SELECT n.game_id, n.version, n.seat, n.target, n.due_at
	FROM gangd.notification AS n
	WHERE n.target = decode(repeat('00', 32), 'hex')
	  AND n.due_at <= now() - $3::integer * interval '1 millisecond'
	ORDER BY n.due_at
	LIMIT $1::integer
	FOR NO KEY UPDATE SKIP LOCKED
), due AS (
	SELECT * FROM push UNION ALL SELECT * FROM webhook
	ORDER BY due_at
	LIMIT $1::integer
), taken AS (
	UPDATE gangd.notification AS n
	SET due_at = now() + interval '1 millisecond' * ($4::integer -
		CASE WHEN n.target = decode(repeat('00', 32), 'hex')
		THEN $3::integer ELSE $2::integer END)
	FROM due
	WHERE n.game_id = due.game_id AND n.version = due.version
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
JOIN gangd.game AS g ON g.game_id = taken.game_id
LEFT JOIN gangd.seat AS s
	ON s.game_id = taken.game_id AND s.seat = taken.seat
LEFT JOIN gangd.push_subscription AS p
	ON p.game_id = taken.game_id AND p.token_hash = s.token_hash
	AND p.endpoint_hash = taken.target
