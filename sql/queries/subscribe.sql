-- Add a subscription of the player with token hash $2: 1, or 0 if the player has $5
-- others; $6 is the push service; NULL when no seat has the token.
SELECT gangd.subscribe(
	the_game => $1, the_token_hash => $2, new_endpoint_hash => $3,
	new_sealed => $4, subscriptions_max => $5, new_service => $6)
