-- Commit decided moves of several games, $1, each at most once, as commit_move does.
-- $8 counts the events of each move.  $9 to $17 are all events: the place of its move
-- in $1, its version, and its parts.  $18 to $20 are all seats that are notified: the
-- place of the move, the seat and the code.  $21 and $22 are the seats that the table
-- waits for no more, and $23 says whether there is a webhook, which is notified too.
-- $24 is the revision of each game, NULL if it does not matter; $25 the recent keys, NULL
-- if they stay the same.  Each parameter from $18 on is NULL if no move has it.
--
-- A row for each move that is settled, with its place in $1: the time, or NULL on a
-- conflict.  Without a row are moves of games that another transaction has locked,
-- that do not exist, or that have no copy of their seats: commit_move is asked then.
-- No lock is waited for, so that two such statements cannot wait for each other.
--
-- A game is updated by the place of the row that was locked.  If a transaction
-- changed the row, but not the version, since the statement began, the statement
-- does not see it there, and updates nothing; then there is no row either.
--
-- Notifications are written by a function, which is called only if there are any:
-- their tables and indexes as parts of this statement take each plain move a fifth of
-- its time.
WITH locked AS (
	SELECT move.*, g.ctid AS row_place, g.version, g.has_seats,
	       g.revision = coalesce(move.loaded_revision, g.revision)
	       AS has_revision
	FROM unnest($1::uuid[], $2::integer[], $3::text[], $4::smallint[],
	            $5::smallint[], $6::smallint[], $7::bytea[], $8::integer[],
	            $24::integer[], $25::bytea[])
	     WITH ORDINALITY
	     AS move(game_id, loaded_version, status, seats_max, seats_count,
	             host, state, events_count, loaded_revision, recent_keys,
	             place)
	CROSS JOIN LATERAL (
		SELECT game.ctid, game.version, game.revision,
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
	    recent_keys = coalesce(locked.recent_keys, g.recent_keys),
	    creator_address_hash = CASE WHEN locked.status = 'lobby'
		    THEN g.creator_address_hash END,
	    creator_site_hash = CASE WHEN locked.status = 'lobby'
		    THEN g.creator_site_hash END,
	    bot_due_at = CASE WHEN g.bots > 0 AND locked.status <> 'lobby'
		    THEN now() END
	FROM locked
	WHERE g.ctid = locked.row_place
	  AND locked.version = locked.loaded_version
	  AND locked.has_revision AND locked.has_seats
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
SELECT place::integer,
       CASE WHEN $18::integer[] IS NULL AND $21::integer[] IS NULL THEN now()
       ELSE (SELECT gangd.notify_games(
	       games => $1, loaded_versions => $2, events_counts => $8,
	       committed => ARRAY(SELECT done.place::integer
	                          FROM committed AS done),
	       told_places => $18, told_seats => $19, told_codes => $20,
	       done_places => $21, done_seats => $22, for_webhook => $23))
       END
FROM committed
UNION ALL
SELECT place::integer, NULL FROM locked
WHERE version <> loaded_version OR NOT has_revision
