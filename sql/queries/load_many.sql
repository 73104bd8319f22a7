-- As load, of several games in one statement: of the games $1, looking for stale seats
-- and for keys as $2 and $3 say for each; a row for each game that exists, with its
-- place in $1.  A game may be named several times, with several keys.
-- The LIMIT keeps the join a look-up for each game, however small the table is.
-- The stale seats are found as find_stale_seats() finds them: a call for each game
-- takes three times as long as the look-up.
SELECT wanted.place::integer,
       g.version, g.ruleset, g.rules_version, g.mode, g.status, g.is_public,
       g.spectators, g.seats_max, g.seats_count, g.host, g.invite_code,
       g.state, g.created_at, g.updated_at, g.rematch, g.rematch_of,
       coalesce(g.absence_seconds, 0) AS absence_seconds, g.push_seats,
       g.revision, g.recent_keys,
       coalesce(g.seats, gangd.pack_seats(g.game_id)) AS packed_seats,
       CASE WHEN wanted.finds_stale THEN
	       (SELECT string_agg(seat.seat::text, '')
	        FROM gangd.seat
	        WHERE seat.game_id = g.game_id
	          AND seat.last_seen <
	              now() - g.absence_seconds * interval '0.5 seconds') END,
       CASE WHEN wanted.key_hash IS NOT NULL THEN
	       (SELECT k.request_hash ||
	               coalesce(uuid_send(k.location),
	                        decode(repeat('00', 16), 'hex')) ||
	               coalesce(k.sealed, '')
	        FROM gangd.idempotency_key AS k
	        WHERE k.game_id = wanted.game_id
	          AND k.key_hash = wanted.key_hash) END
FROM unnest($1::uuid[], $2::boolean[], $3::bytea[]) WITH ORDINALITY
     AS wanted(game_id, finds_stale, key_hash, place)
CROSS JOIN LATERAL (
	SELECT * FROM gangd.game WHERE game.game_id = wanted.game_id LIMIT 1
) AS g
