-- Give a seat a code for another device: the time, or NULL when the game is gone.
SELECT gangd.give_transfer(
	the_game => $1, the_token_hash => $2, new_code_hash => $3, new_sealed => $4)
