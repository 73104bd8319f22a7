-- Up to $1 games whose bots are due, the one that has waited longest first.  They are
-- not taken: take_bot does that, for one game, where no statement may lock rows of
-- several ones.
SELECT game_id, version, 0
FROM gangd.game
WHERE bot_due_at <= now()
ORDER BY bot_due_at
LIMIT $1::integer
