-- How many games there are that are not over, by ruleset and status.  It examines
-- 100,000 entries of their index at most, so that its cost is bounded.
SELECT ruleset, status, count(*)::integer
FROM (
	SELECT ruleset, status
	FROM gangd.game
	WHERE status IN ('lobby', 'playing')
	LIMIT 100000
) AS open
GROUP BY ruleset, status
