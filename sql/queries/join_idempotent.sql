-- As join, and record the idempotency key.
SELECT gangd.record_idempotency_key(
	the_game => $1, new_key_hash => $22, new_request_hash => $23,
	new_location => $24, new_sealed => $25,
	committed_at => gangd.seat_players(
		the_game => $1, new_seats => $15, new_names => $16,
		new_name_keys => $17, new_avatars => $18,
		new_token_hashes => $19, new_bot_levels => $20,
		new_client_references => $21,
		committed_at => gangd.commit_move(
			the_game => $1, loaded_version => $2, new_status => $3,
			new_seats_max => $4, new_seats_count => $5,
			new_host => $6, new_state => $7, event_types => $8,
			event_seats => $9, event_heists => $10,
			event_colors => $11, event_public_data => $12,
			event_private_data => $13, event_replay_data => $14)))
