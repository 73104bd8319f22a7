-- Delete codes for other devices that have expired.
DELETE FROM gangd.transfer WHERE at < now() - interval '10 minutes'
