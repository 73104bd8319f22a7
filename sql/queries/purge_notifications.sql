-- Delete notifications that were made $1 days ago, sent or not.
DELETE FROM gangd.notification
WHERE created_at < now() - make_interval(days => $1)
