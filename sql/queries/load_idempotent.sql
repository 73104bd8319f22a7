-- As load, and what was done in the game under the idempotency key with hash $3.
SELECT g.version, g.ruleset, g.rules_version, g.mode, g.status, g.is_public,
       g.spectators, g.seats_max, g.seats_count, g.host, g.invite_code,
       g.state, g.created_at, g.updated_at, g.rematch, g.rematch_of,
       coalesce(g.absence_seconds, 0) AS absence_seconds, g.push_seats,
       coalesce(g.seats, gangd.pack_seats($1)) AS packed_seats,
       CASE WHEN $2::boolean THEN
	       gangd.find_stale_seats($1, g.absence_seconds) END,
       k.request_hash, k.location, k.sealed
FROM gangd.game AS g
LEFT JOIN gangd.idempotency_key AS k
	ON k.game_id = $1 AND k.key_hash = $3
WHERE g.game_id = $1
