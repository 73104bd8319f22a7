-- The games of the notifications that take_notifications would take, with the same $1 to
-- $3.  They are not taken: take_game_notifications does that.
SELECT DISTINCT game_id, 0, 0
FROM (
	(SELECT game_id, due_at FROM gangd.notification
	 WHERE target <> decode(repeat('00', 32), 'hex')
	   AND due_at <= now() - $2::integer * interval '1 millisecond'
	 ORDER BY due_at LIMIT $1::integer)
	UNION ALL
	(SELECT game_id, due_at FROM gangd.notification
	 WHERE target = decode(repeat('00', 32), 'hex')
	   AND due_at <= now() - $3::integer * interval '1 millisecond'
	 ORDER BY due_at LIMIT $1::integer)
) AS due
LIMIT $1::integer
