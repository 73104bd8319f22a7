-- Settle notifications that were taken, each named by game, version, seat and target,
-- with its tries so far, $5.  $6 says what becomes of it: 0: it is due again in $7
-- milliseconds, 1: it stays without being due, 2: it is deleted.  The delay $9, which
-- take_notifications adds, is part of the $7.
--
-- A notification whose lease $8 is over and that somebody else has taken, or that was
-- asked for once more, is not touched.  One that a commit has locked is left: that
-- deletes it, or else the lease ends.
WITH settled AS (
	SELECT n.game_id, n.version, n.seat, n.target, s.attempts, s.fate, s.rest
	FROM unnest($1::uuid[], $2::integer[], $3::smallint[], $4::bytea[],
	            $5::smallint[], $6::smallint[], $7::integer[], $8::integer[])
	     AS s(game_id, version, seat, target, attempts, fate, rest, lease)
	JOIN gangd.notification AS n
		ON n.game_id = s.game_id AND n.version = s.version
		AND n.seat = s.seat AND n.target = s.target
		AND extract(microseconds FROM n.due_at) = s.lease
	FOR NO KEY UPDATE OF n SKIP LOCKED
), deleted AS (
	DELETE FROM gangd.notification AS n
	USING settled AS s
	WHERE s.fate = 2 AND n.game_id = s.game_id AND n.version = s.version
	  AND n.seat = s.seat AND n.target = s.target
	RETURNING 1
), rested AS (
	UPDATE gangd.notification AS n
	SET attempts = s.attempts,
	    due_at = CASE WHEN s.fate = 0
		    THEN now() + (s.rest - $9::integer) * interval '1 millisecond' END
	FROM settled AS s
	WHERE s.fate <> 2 AND n.game_id = s.game_id AND n.version = s.version
	  AND n.seat = s.seat AND n.target = s.target
	RETURNING 1
)
SELECT now() FROM (SELECT count(*) FROM deleted) AS done,
	(SELECT count(*) FROM rested) AS also
