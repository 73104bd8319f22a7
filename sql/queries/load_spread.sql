-- As load, without an idempotency key.  It reads one table, so that a server of several
-- keeps its plan.
SELECT g.version, g.ruleset, g.rules_version, g.mode, g.status, g.is_public,
       g.spectators, g.seats_max, g.seats_count, g.host, g.invite_code,
       g.state, g.created_at, g.updated_at, g.rematch, g.rematch_of,
       coalesce(g.absence_seconds, 0) AS absence_seconds, g.push_seats,
       g.revision, g.recent_keys,
       coalesce(g.seats, gangd.pack_seats($1)) AS packed_seats,
       CASE WHEN $2::boolean THEN
	       gangd.find_stale_seats($1, g.absence_seconds) END,
       NULL::bytea
FROM gangd.game AS g
WHERE g.game_id = $1
