-- As lobby, where the games lie on several servers: each shard gives the newest $5 of its
-- own, and the newest $5 of all of them are examined.  A shard reads the index entries
-- of all public games that wait.  It sorts them by their ids as bytes, for which there is
-- no index: the primary key would lead through all games.
SELECT game_id, ruleset, mode, spectators, seats_max, seats_count, created_at, version,
       state, name, fits, place = $5 AS is_last
FROM (
	SELECT examined.*, row_number() OVER (ORDER BY game_id DESC) AS place
	FROM (
		SELECT g.game_id, g.ruleset, g.mode, g.spectators, g.seats_max,
		       (g.seats_count - g.bots)::smallint AS seats_count,
		       g.created_at, g.version, g.state, s.name,
		       coalesce(s.last_seen >= now() - interval '15 minutes', false)
		       AND g.seats_max - g.seats_count + g.bots >= $4::integer AS fits
		FROM gangd.game AS g
		LEFT JOIN gangd.seat AS s ON s.game_id = g.game_id AND s.seat = g.host
		WHERE g.is_public AND g.status = 'lobby'
		  AND g.host_last_seen >=
		      date_bin('5 minutes', now(), 'epoch') - interval '15 minutes'
		  AND g.game_id < $1
		  AND ($2::smallint IS NULL OR g.ruleset = $2)
		  AND ($3::text IS NULL OR g.mode = $3)
		ORDER BY uuid_send(g.game_id) DESC
		LIMIT $5::integer
	) AS examined
) AS listed
WHERE fits OR place = $5
ORDER BY game_id DESC
