-- As leave, and remember the key it was asked for under.
SELECT gangd.remember(
	$1, $19, $20, $21, $22,
	CASE WHEN gangd.is_last_seen_at($1, $2, $15, $18) THEN
		CASE WHEN gangd.free_seat($1, $2, $15, $16, $17) THEN
			gangd.act($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11,
			          $12, $13, $14, NULL, NULL, NULL, NULL)
		END
	END)
