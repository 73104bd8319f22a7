-- A game with its seats in one row, by one look-up.  The copy of the seats may be
-- missing in games of before (see migration 0009).  With $2 also the numbers of the
-- seats whose players are stale.  With $3, the hash of an idempotency key, what was
-- done in the game under it, as one value: request_hash, location (zeros: none), sealed.
-- tests/store holds the columns of load and load_many equal.
SELECT g.version, g.ruleset, g.rules_version, g.mode, g.status, g.is_public,
       g.spectators, g.seats_max, g.seats_count, g.host, g.invite_code,
       g.state, g.created_at, g.updated_at, g.rematch, g.rematch_of,
       coalesce(g.absence_seconds, 0) AS absence_seconds, g.push_seats,
       g.revision, g.recent_keys,
       coalesce(g.seats, gangd.pack_seats($1)) AS packed_seats,
       CASE WHEN $2::boolean THEN
	       gangd.find_stale_seats($1, g.absence_seconds) END,
       CASE WHEN $3::bytea IS NOT NULL THEN
	       (SELECT k.request_hash ||
	               coalesce(uuid_send(k.location),
	                        decode(repeat('00', 16), 'hex')) ||
	               coalesce(k.sealed, '')
	        FROM gangd.idempotency_key AS k
	        WHERE k.game_id = $1 AND k.key_hash = $3) END
FROM gangd.game AS g
WHERE g.game_id = $1
