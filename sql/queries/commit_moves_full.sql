-- As commit_moves, and record what only some of the moves have.  $18 to $21 are an
-- idempotency key for each move, NULL for one without.  $22 to $24 are all seats that
-- are told something: the place of the move in $1, the seat and the code.  $25 and $26
-- are the seats that the table waits for no more, and $27 says whether there is a
-- webhook, which is told too.  Each is written as
-- record_idempotency_key() and notify_seats() write it, if the move is committed.
--
-- A notification that gangd-push has locked is not waited for, and stays.  If it is not
-- being sent, gangd-push drops it when it takes it next: the player was seen since.
WITH locked AS (
	SELECT move.*, g.ctid AS row_place, g.version, g.has_seats
	FROM unnest($1::uuid[], $2::integer[], $3::text[], $4::smallint[],
	            $5::smallint[], $6::smallint[], $7::bytea[], $8::integer[])
	     WITH ORDINALITY
	     AS move(game_id, loaded_version, status, seats_max, seats_count,
	             host, state, events_count, place)
	CROSS JOIN LATERAL (
		SELECT game.ctid, game.version,
		       game.seats IS NOT NULL AS has_seats
		FROM gangd.game
		WHERE game.game_id = move.game_id
		LIMIT 1
		FOR NO KEY UPDATE SKIP LOCKED
	) AS g
), committed AS (
	UPDATE gangd.game AS g
	SET version = locked.loaded_version + locked.events_count,
	    updated_at = now(),
	    status = locked.status,
	    seats_max = locked.seats_max,
	    seats_count = locked.seats_count,
	    host = locked.host,
	    state = locked.state,
	    creator_address_hash = CASE WHEN locked.status = 'lobby'
		    THEN g.creator_address_hash END,
	    creator_site_hash = CASE WHEN locked.status = 'lobby'
		    THEN g.creator_site_hash END,
	    bot_due_at = CASE WHEN g.bots > 0 AND locked.status <> 'lobby'
		    THEN now() END
	FROM locked
	WHERE g.ctid = locked.row_place
	  AND locked.version = locked.loaded_version AND locked.has_seats
	RETURNING locked.place
), logged AS (
	INSERT INTO gangd.event (game_id, version, type, seat, heist, color,
	                         public_data, private_data, replay_data)
	SELECT ($1::uuid[])[e.place], e.version, e.type, e.seat, e.heist, e.color,
	       e.public_data, e.private_data, e.replay_data
	FROM unnest($9::integer[], $10::integer[], $11::smallint[],
	            $12::smallint[], $13::smallint[], $14::smallint[],
	            $15::bytea[], $16::bytea[], $17::bytea[])
	     AS e(place, version, type, seat, heist, color, public_data,
	          private_data, replay_data)
	WHERE (e.place IN (SELECT committed.place FROM committed)) IS TRUE
), keyed AS (
	INSERT INTO gangd.idempotency_key (game_id, key_hash, request_hash,
	                                   location, sealed)
	SELECT ($1::uuid[])[k.place], k.key_hash, k.request_hash, k.location,
	       k.sealed
	FROM unnest($18::bytea[], $19::bytea[], $20::uuid[], $21::bytea[])
	     WITH ORDINALITY
	     AS k(key_hash, request_hash, location, sealed, place)
	WHERE k.key_hash IS NOT NULL
	  AND (k.place IN (SELECT committed.place FROM committed)) IS TRUE
), told AS (
	SELECT ($1::uuid[])[t.place] AS game_id,
	       ($2::integer[])[t.place] + ($8::integer[])[t.place] AS version,
	       t.seat, t.code
	FROM unnest($22::integer[], $23::smallint[], $24::smallint[])
	     AS t(place, seat, code)
	WHERE (t.place IN (SELECT committed.place FROM committed)) IS TRUE
), outdated AS (
	SELECT n.game_id, n.version, n.seat, n.target
	FROM (SELECT game_id, seat, code FROM told
	      UNION ALL
	      SELECT ($1::uuid[])[done.place], done.seat, 1
	      FROM unnest($25::integer[], $26::smallint[]) AS done(place, seat)
	      WHERE (done.place IN (SELECT committed.place FROM committed)) IS TRUE
	) AS turn
	CROSS JOIN LATERAL (
		SELECT notification.game_id, notification.version,
		       notification.seat, notification.target
		FROM gangd.notification
		WHERE notification.game_id = turn.game_id
		  AND notification.seat = turn.seat
		  AND notification.due_at IS NOT NULL
		  AND NOT notification.is_replay
		  AND (notification.code = 1 -- YOUR_TURN of push/push_code.def
		       OR notification.code = turn.code)
		LIMIT 100
		FOR UPDATE SKIP LOCKED
	) AS n
), deleted AS (
	DELETE FROM gangd.notification AS n
	USING outdated
	WHERE n.game_id = outdated.game_id AND n.version = outdated.version
	  AND n.seat = outdated.seat AND n.target = outdated.target
), notified AS (
	INSERT INTO gangd.notification (game_id, version, seat, target, code,
	                                service, place)
	SELECT told.game_id, told.version, told.seat, target.hash, told.code,
	       target.service, target.place
	FROM told
	CROSS JOIN LATERAL (
		SELECT decode(repeat('00', 32), 'hex') AS hash,
		       '\x'::bytea AS service, 0 AS place
		WHERE $27::boolean
		UNION ALL
		SELECT push.endpoint_hash, push.service,
		       least(row_number() OVER () - 1, 3)
		FROM (SELECT seat.token_hash FROM gangd.seat
		      WHERE seat.game_id = told.game_id
		        AND seat.seat = told.seat LIMIT 1) AS player
		CROSS JOIN LATERAL (
			SELECT p.endpoint_hash, p.service
			FROM gangd.push_subscription AS p
			WHERE p.game_id = told.game_id
			  AND p.token_hash = player.token_hash
			ORDER BY p.game_id, p.token_hash, p.endpoint_hash
			LIMIT 100) AS push
	) AS target
)
SELECT place::integer, now() FROM committed
UNION ALL
SELECT place::integer, NULL FROM locked WHERE version <> loaded_version
