-- As lobby, where the games lie on several servers: each shard gives the newest $5 of its
-- own, and the newest $5 of all of them are examined.  A shard reads the index entries
-- of all public games that wait.  It sorts them by their ids as bytes, for which there is
-- no index: the primary key would lead through all games.  The games of a server that is
-- away are left out.
SELECT game_id, ruleset, mode, spectators, seats_max, seats_count, created_at, version,
       state, name, fits, place = $5 AS is_last
FROM (
	SELECT examined.*, row_number() OVER (ORDER BY game_id DESC) AS place
	FROM gangd.ask_games(format($query$
		SELECT g.game_id, g.ruleset, g.mode, g.spectators, g.seats_max,
		       (g.seats_count - g.bots)::smallint AS seats_count,
		       g.created_at, g.version, g.state, s.name,
		       coalesce(s.last_seen >= now() - interval '15 minutes', false)
		       AND g.seats_max - g.seats_count + g.bots >= %4$s AS fits
		FROM @game AS g
		LEFT JOIN @seat AS s ON s.game_id = g.game_id AND s.seat = g.host
		WHERE g.is_public AND g.status = 'lobby'
		  AND g.host_last_seen >=
		      date_bin('5 minutes', now(), 'epoch') - interval '15 minutes'
		  AND g.game_id < %1$L
		  AND (%2$L IS NULL OR g.ruleset = %2$L)
		  AND (%3$L IS NULL OR g.mode = %3$L)
		ORDER BY uuid_send(g.game_id) DESC
		LIMIT %5$s$query$,
		$1::uuid, $2::smallint, $3::text, $4::integer, $5::integer)) AS told,
	LATERAL json_to_record(told) AS examined (
		game_id uuid, ruleset smallint, mode text, spectators boolean,
		seats_max smallint, seats_count smallint, created_at timestamptz,
		version integer, state bytea, name text, fits boolean)
) AS listed
WHERE place <= $5 AND (fits OR place = $5)
ORDER BY game_id DESC
