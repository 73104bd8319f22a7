-- Public games that wait for players and whose host was seen in the last 15
-- minutes, the newest first: before $1, of ruleset $2 and mode $3 (NULL: any),
-- with at least $4 free seats.  A bot's seat counts as free: a person who joins takes
-- it over when no other is.
--
-- host_last_seen has steps of five minutes, so four of them cover the 15 minutes.
-- The newest $5 games of each step are looked up in the index of the filter, and
-- the newest $5 of all those are examined; so the cost does not grow with the
-- number of games.  The result is the games that fit, and the last of $5 examined
-- games (is_last) even if it does not fit: the next page begins after it.
--
-- The comparison of rows and the order are those of the index.  With an equality
-- instead, the primary key would have that order too, and PostgreSQL would scan
-- all games by it.  The last LIMIT keeps that join a look-up.
WITH step AS (
	SELECT date_bin('5 minutes', now(), 'epoch') - unnest(ARRAY[
		interval '0 minutes', interval '5 minutes',
		interval '10 minutes', interval '15 minutes']) AS at
), candidate AS (
	SELECT any_game.game_id
	FROM step CROSS JOIN LATERAL (
		SELECT g.game_id FROM gangd.game AS g
		WHERE $2::smallint IS NULL AND $3::text IS NULL
		  AND g.is_public AND g.status = 'lobby'
		  AND g.host_last_seen >= step.at
		  AND (g.host_last_seen, g.game_id) < (step.at, $1)
		ORDER BY g.host_last_seen DESC, g.game_id DESC
		LIMIT $5::integer
	) AS any_game
	UNION ALL
	SELECT of_ruleset.game_id
	FROM step CROSS JOIN LATERAL (
		SELECT g.game_id FROM gangd.game AS g
		WHERE $3::text IS NULL AND g.ruleset = $2::smallint
		  AND g.is_public AND g.status = 'lobby'
		  AND g.host_last_seen >= step.at
		  AND (g.host_last_seen, g.game_id) < (step.at, $1)
		ORDER BY g.host_last_seen DESC, g.game_id DESC
		LIMIT $5::integer
	) AS of_ruleset
	UNION ALL
	SELECT of_mode.game_id
	FROM step CROSS JOIN LATERAL (
		SELECT g.game_id FROM gangd.game AS g
		WHERE g.mode = $3::text
		  AND g.is_public AND g.status = 'lobby'
		  AND g.host_last_seen >= step.at
		  AND (g.host_last_seen, g.game_id) < (step.at, $1)
		ORDER BY g.host_last_seen DESC, g.game_id DESC
		LIMIT $5::integer
	) AS of_mode
), examined AS (
	SELECT game_id, row_number() OVER (ORDER BY game_id DESC) AS place
	FROM candidate
	ORDER BY game_id DESC
	LIMIT $5::integer
)
SELECT listed.*, place = $5 AS is_last
FROM examined CROSS JOIN LATERAL (
	SELECT g.game_id, g.ruleset, g.mode, g.spectators, g.seats_max,
	       (g.seats_count - g.bots)::smallint AS seats_count,
	       g.created_at, g.version, g.state, s.name,
	       coalesce(s.last_seen >= now() - interval '15 minutes', false)
	       AND ($2::smallint IS NULL OR g.ruleset = $2)
	       AND g.seats_max - g.seats_count + g.bots >= $4::integer AS fits
	FROM gangd.game AS g
	LEFT JOIN gangd.seat AS s ON s.game_id = g.game_id AND s.seat = g.host
	WHERE g.game_id = examined.game_id
	LIMIT 1
) AS listed
WHERE fits OR place = $5
ORDER BY listed.game_id DESC
