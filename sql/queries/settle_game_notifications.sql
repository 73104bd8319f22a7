-- As settle_notifications, of notifications of the game $1 alone.
WITH settled AS (
	SELECT n.version, n.seat, n.target, s.attempts, s.fate, s.rest
	FROM unnest($2::integer[], $3::smallint[], $4::bytea[],
	            $5::smallint[], $6::smallint[], $7::integer[], $8::integer[])
	     AS s(version, seat, target, attempts, fate, rest, lease)
	JOIN gangd.notification AS n
		ON n.game_id = $1 AND n.version = s.version
		AND n.seat = s.seat AND n.target = s.target
		AND extract(microseconds FROM n.due_at) = s.lease
	FOR NO KEY UPDATE OF n SKIP LOCKED
), deleted AS (
	DELETE FROM gangd.notification AS n
	USING settled AS s
	WHERE s.fate = 2 AND n.game_id = $1 AND n.version = s.version
	  AND n.seat = s.seat AND n.target = s.target
	RETURNING 1
), rested AS (
	UPDATE gangd.notification AS n
	SET attempts = s.attempts,
	    due_at = now() + CASE WHEN s.fate = 0
		    THEN (s.rest - $9::integer) * interval '1 millisecond' END
	FROM settled AS s
	WHERE s.fate <> 2 AND n.game_id = $1 AND n.version = s.version
	  AND n.seat = s.seat AND n.target = s.target
	RETURNING 1
)
SELECT now() FROM (SELECT count(*) FROM deleted) AS done,
	(SELECT count(*) FROM rested) AS also
