-- The games of notifications that take_notifications would take, with the same $1 to $4
-- but of no push service in $5, which have little room; at most $6 games.  They are not
-- taken: take_game_notifications does that.
SELECT DISTINCT game_id, 0, 0
FROM (
	(SELECT game_id, due_at FROM gangd.notification
	 WHERE target <> decode(repeat('00', 32), 'hex')
	   AND due_at <= now() - $2::integer * interval '1 millisecond'
	   AND service <> ALL($5::bytea[])
	 ORDER BY due_at LIMIT $1::integer)
	UNION ALL
	(SELECT game_id, due_at FROM gangd.notification
	 WHERE target = decode(repeat('00', 32), 'hex')
	   AND due_at <= now() - $4::integer * interval '1 millisecond'
	 ORDER BY due_at LIMIT $3::integer)
) AS due
LIMIT $6::integer
