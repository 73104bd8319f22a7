-- Delete stream tickets that have expired.
DELETE FROM gangd.stream_ticket WHERE at < now() - interval '30 seconds'
