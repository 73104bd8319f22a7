-- Delete idempotency keys older than a day, and return how many there were; also
-- delete expired stream tickets.
WITH done AS (
	DELETE FROM gangd.idempotency_key
	WHERE at < now() - interval '1 day' RETURNING 1
), created AS (
	DELETE FROM gangd.creation_key
	WHERE at < now() - interval '1 day' RETURNING 1
), tickets AS (
	DELETE FROM gangd.stream_ticket
	WHERE at < now() - interval '30 seconds' RETURNING 1
)
SELECT (SELECT count(*) FROM done) + (SELECT count(*) FROM created)
