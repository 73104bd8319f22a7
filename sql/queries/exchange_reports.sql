-- Report that process $1 has committed the versions $4 of games $3, as its report $2
-- (NULL: report nothing); with $7 forget its old reports, and those of processes that have
-- ended; and read those of all other processes, but for those up to number $6 of process
-- $5: a row for each game, or one without a game for a report of none.
WITH reported AS (
	INSERT INTO gangd.commit_report (process, number, games, versions)
	SELECT $1::uuid, $2::integer, $3::uuid[], $4::integer[]
	WHERE $2::integer IS NOT NULL
), forgotten AS (
	DELETE FROM gangd.commit_report
	WHERE $7::boolean AND at < now() - CASE WHEN process = $1
		THEN interval '10 seconds' ELSE interval '1 minute' END
)
SELECT report.process, report.number, item.game_id, item.version
FROM gangd.commit_report AS report
LEFT JOIN unnest($5::uuid[], $6::integer[]) AS seen(process, number)
	ON seen.process = report.process
LEFT JOIN LATERAL unnest(report.games, report.versions)
	AS item(game_id, version) ON true
WHERE report.process <> $1 AND report.number > coalesce(seen.number, 0)
