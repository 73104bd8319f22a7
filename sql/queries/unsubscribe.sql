-- Remove the subscriptions of game $1, of the player with token hash $2 (NULL: of all),
-- to the endpoint with hash $3 (NULL: to all): the time, or NULL when the game is gone.
SELECT gangd.unsubscribe(
	the_game => $1, the_token_hash => $2, the_endpoint_hash => $3)
