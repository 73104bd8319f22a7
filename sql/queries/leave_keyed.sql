-- As leave, and remember the key it was asked for under.
SELECT gangd.remember(
	$1, $18, $19, $20, $21,
	CASE WHEN gangd.free_seat($1, $2, $15, $16, $17) THEN
		gangd.act($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12,
		          $13, $14, NULL, NULL, NULL, NULL)
	END)
