-- Commit a change of a player's token, and record the idempotency key, which the
-- service demands: the time, or NULL on a conflict.
SELECT gangd.record_idempotency_key(
	the_game => $1, new_key_hash => $17, new_request_hash => $18,
	new_location => $19, new_sealed => $20,
	committed_at => gangd.renew_token(
		the_game => $1, the_seat => $15, new_token_hash => $16,
		committed_at => gangd.commit_move(
			the_game => $1, loaded_version => $2, new_status => $3,
			new_seats_max => $4, new_seats_count => $5,
			new_host => $6, new_state => $7, event_types => $8,
			event_seats => $9, event_heists => $10,
			event_colors => $11, event_public_data => $12,
			event_private_data => $13, event_replay_data => $14)))
