-- How many games nobody has touched for so many days.
SELECT count(*)
FROM gangd.game
WHERE updated_at < now() - make_interval(days => $1)
