-- Keep a move by which a seat becomes free: the time, or NULL when the game
-- has moved on, the player who is removed as absent was heard of meanwhile, or
-- the new code is taken.
SELECT CASE WHEN gangd.is_last_seen_at($1, $2, $15, $18) THEN
	CASE WHEN gangd.free_seat($1, $2, $15, $16, $17) THEN
		gangd.act($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12,
		          $13, $14, NULL, NULL, NULL, NULL)
	END
END
