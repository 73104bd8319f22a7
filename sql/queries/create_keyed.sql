-- Create a game under a key: the time, or NULL when the code or the key is
-- taken.
SELECT CASE WHEN gangd.claim($26, $27, $1, $28) THEN
	gangd.settle_claim($26, gangd.create_game(
		$1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14,
		$15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25))
END
