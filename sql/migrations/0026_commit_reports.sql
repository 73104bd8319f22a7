-- Daemons report to each other which games they have changed.
--
-- No older program accepts this, since it would report nothing.
--
-- After a crash of the server the table is empty: reports are for seconds.
CREATE UNLOGGED TABLE gangd.commit_report (
	process uuid NOT NULL,
	number integer NOT NULL,
	games uuid[] NOT NULL,
	versions integer[] NOT NULL,
	at timestamptz NOT NULL DEFAULT now(),
	PRIMARY KEY (process, number)
);
COMMENT ON TABLE gangd.commit_report IS
	'What each daemon has committed in the last seconds, for the waiters of others.';
COMMENT ON COLUMN gangd.commit_report.process IS
	'The daemon, by an id that it has drawn at its start.';
COMMENT ON COLUMN gangd.commit_report.number IS
	'Of the report, among those of the process.';
COMMENT ON COLUMN gangd.commit_report.games IS
	'Games that the process has changed; none: it only says that it runs.';
COMMENT ON COLUMN gangd.commit_report.versions IS
	'The new version of each; the greatest number: it was deleted.';
COMMENT ON COLUMN gangd.commit_report.at IS 'When it was reported.';

DO $$
BEGIN
	IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'gangd_app') THEN
		GRANT SELECT, INSERT, DELETE ON gangd.commit_report
			TO gangd_app;
	END IF;
END
$$;
