-- Commit decided moves of several games, $1, each at most once, as commit_move does;
-- nobody joins.  $8 counts the events of each move.  $9 to $17 are all events: the
-- place of its move in $1, its version, and its parts.
--
-- A row for each move that is settled, with its place in $1: the time, or NULL on a
-- conflict.  Without a row are moves of games that another transaction has locked,
-- that do not exist, or that have no copy of their seats: commit_move is asked then.
-- No lock is waited for, so that two such statements cannot wait for each other.
--
-- A game is updated by the place of the row that was locked.  If a transaction
-- changed the row, but not the version, since the statement began, the statement
-- does not see it there, and updates nothing; then there is no row either.
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
)
SELECT place::integer, now() FROM committed
UNION ALL
SELECT place::integer, NULL FROM locked WHERE version <> loaded_version
