-- Delete idempotency keys older than a day.
DELETE FROM gangd.idempotency_key WHERE at < now() - interval '1 day'
