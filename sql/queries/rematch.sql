-- Go on in another game: the time, or NULL when the game has moved on or the
-- code is taken.
SELECT CASE WHEN gangd.is_at($1, $2) THEN
	gangd.go_on($1, $2, $3, $4, $5, $6, $7, gangd.create_game(
		$7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19,
		$20, $21, $22, $23, $24, $25, $26, $27, NULL, NULL, NULL,
		NULL))
END
