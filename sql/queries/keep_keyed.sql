-- Keep a move, and the key it was asked for under: the time, or NULL when the
-- game has moved on.
SELECT gangd.remember(
	$1, $19, $20, $21, $22,
	gangd.act($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14,
	          $15, $16, $17, $18))
