-- The load of before migration 0009, which joined the seats: pgbench runs it too, so
-- that the new statement alone does not make the database look faster.
SELECT g.version, g.ruleset, g.rules_version, g.mode, g.status, g.is_public,
       g.spectators, g.seats_max, g.seats_count, g.host, g.invite_code,
       g.state, g.created_at, g.updated_at, g.rematch, g.rematch_of,
       coalesce(g.absence_seconds, 0) AS absence_seconds,
       s.seats, s.names, s.token_hashes, s.stale_seats
FROM gangd.game AS g
CROSS JOIN LATERAL (
	SELECT string_agg(seat.seat::text, '' ORDER BY seat.seat) AS seats,
	       string_agg(seat.name, E'\n' ORDER BY seat.seat) AS names,
	       string_agg(seat.token_hash, '' ORDER BY seat.seat) AS token_hashes,
	       string_agg(seat.seat::text, '')
	       FILTER (WHERE seat.last_seen <
	               now() - g.absence_seconds * interval '0.5 seconds')
	       AS stale_seats
	FROM gangd.seat
	WHERE seat.game_id = g.game_id
) AS s
WHERE g.game_id = $1
