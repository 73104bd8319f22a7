-- As change_player, and record the idempotency key.
SELECT gangd.record_idempotency_key(
	the_game => $1, new_key_hash => $19, new_request_hash => $20,
	new_location => $21, new_sealed => $22,
	committed_at => gangd.change_player(
		the_game => $1, the_seat => $15, new_name => $16,
		new_name_key => $17, new_avatar => $18,
		committed_at => gangd.commit_move(
			the_game => $1, loaded_version => $2, new_status => $3,
			new_seats_max => $4, new_seats_count => $5,
			new_host => $6, new_state => $7, event_types => $8,
			event_seats => $9, event_heists => $10,
			event_colors => $11, event_public_data => $12,
			event_private_data => $13, event_replay_data => $14)))
