-- Remove the subscriptions of game $1, of the player with token hash $2 (NULL: of all),
-- to the endpoint that is stored under one of the hashes $3 (NULL: to all): the time, or
-- NULL when the game is gone.
SELECT gangd.unsubscribe(
	the_game => $1, the_token_hash => $2, endpoint_hashes => $3)
