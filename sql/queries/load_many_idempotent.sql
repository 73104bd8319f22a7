-- As load_many, and what was done in each game under the idempotency key with the hash
-- that $3 has for it.  A game may be named several times, with several keys.
SELECT wanted.place::integer,
       g.version, g.ruleset, g.rules_version, g.mode, g.status, g.is_public,
       g.spectators, g.seats_max, g.seats_count, g.host, g.invite_code,
       g.state, g.created_at, g.updated_at, g.rematch, g.rematch_of,
       coalesce(g.absence_seconds, 0) AS absence_seconds, g.push_seats,
       coalesce(g.seats, gangd.pack_seats(g.game_id)) AS packed_seats,
       CASE WHEN wanted.finds_stale THEN
	       (SELECT string_agg(seat.seat::text, '')
	        FROM gangd.seat
	        WHERE seat.game_id = g.game_id
	          AND seat.last_seen <
	              now() - g.absence_seconds * interval '0.5 seconds') END,
       k.request_hash, k.location, k.sealed
FROM unnest($1::uuid[], $2::boolean[], $3::bytea[]) WITH ORDINALITY
     AS wanted(game_id, finds_stale, key_hash, place)
CROSS JOIN LATERAL (
	SELECT * FROM gangd.game WHERE game.game_id = wanted.game_id LIMIT 1
) AS g
LEFT JOIN LATERAL (
	SELECT key.request_hash, key.location, key.sealed
	FROM gangd.idempotency_key AS key
	WHERE key.game_id = wanted.game_id AND key.key_hash = wanted.key_hash
	LIMIT 1
) AS k ON true
