-- As leave, and record the idempotency key.
SELECT gangd.record_idempotency_key(
	the_game => $1, new_key_hash => $19, new_request_hash => $20,
	new_location => $21, new_sealed => $22,
	committed_at => CASE WHEN gangd.lock_absent_player(
		the_game => $1, loaded_version => $2, the_seat => $15,
		loaded_last_seen => $18) THEN
		CASE WHEN gangd.free_seat(
			the_game => $1, loaded_version => $2, leaving_seat => $15,
			closes_up => $16, new_invite_code => $17) THEN
			gangd.commit_move(
				the_game => $1, loaded_version => $2,
				new_status => $3, new_seats_max => $4,
				new_seats_count => $5, new_host => $6,
				new_state => $7, event_types => $8,
				event_seats => $9, event_heists => $10,
				event_colors => $11, event_public_data => $12,
				event_private_data => $13,
				event_replay_data => $14)
		END
	END)
