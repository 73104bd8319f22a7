-- Keep a move: the time, or NULL when the game has moved on.
SELECT gangd.act($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14,
                 $15, $16, $17, $18)
