-- Delete the idempotency keys of creations that are older than a day.
DELETE FROM gangd.creation_key WHERE at < now() - interval '1 day'
