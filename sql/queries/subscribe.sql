-- Add a subscription of the player with token hash $2, to the endpoint with hash $3, which
-- may be stored under the hashes $4: 1, or 0 if the player has $6 others; $7 is the push
-- service; NULL when no seat has the token.
SELECT gangd.subscribe(
	the_game => $1, the_token_hash => $2, new_endpoint_hash => $3,
	former_hashes => $4, new_sealed => $5, subscriptions_max => $6,
	new_service => $7)
