-- Up to 100 of the games that have reached their age, in the order of their ids,
-- after $1 (NULL: from the first one): those in the lobby that are unchanged, and
-- whose players sent no request, for $2 days; those that have ended, unchanged for
-- $3; all others, unchanged for $4.  The caller deletes each by delete.sql, which
-- leaves a game that has changed meanwhile.  Nothing is locked here, so that the
-- games may lie on several servers.
SELECT game_id, version
FROM gangd.game
WHERE ($1::uuid IS NULL OR game_id > $1)
  AND CASE
	WHEN status NOT IN ('lobby', 'playing') THEN
		updated_at < now() - make_interval(days => $3)
	ELSE updated_at < now() - make_interval(days => $4)
	  OR (status = 'lobby'
	      AND updated_at < now() - make_interval(days => $2)
	      AND NOT EXISTS (
		SELECT FROM gangd.seat
		WHERE seat.game_id = game.game_id
		  AND seat.last_seen > now() - make_interval(days => $2)))
  END
ORDER BY game_id
LIMIT 100
