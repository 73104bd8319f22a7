-- As commit_notified, and record the idempotency key.
SELECT gangd.record_idempotency_key(
	the_game => $1, new_key_hash => $31, new_request_hash => $32,
	new_location => $33, new_sealed => $34,
	committed_at => gangd.notify_seats(
		the_game => $1, new_version => $26, told_seats => $27,
		told_codes => $28, done_seats => $29,
		for_webhook => $30,
		committed_at => gangd.seat_players(
			the_game => $1, new_seats => $19, new_names => $20,
			new_name_keys => $21, new_avatars => $22,
			new_token_hashes => $23, new_bot_levels => $24,
			new_client_references => $25,
			committed_at => CASE WHEN
				CASE WHEN $15::smallint IS NULL THEN true
				WHEN gangd.lock_absent_player(
					the_game => $1, loaded_version => $2,
					the_seat => $15, loaded_last_seen => $18)
				THEN gangd.free_seat(
					the_game => $1, loaded_version => $2,
					leaving_seat => $15, closes_up => $16,
					new_invite_code => $17) END
			THEN gangd.commit_move(
					the_game => $1, loaded_version => $2, new_status => $3,
					new_seats_max => $4, new_seats_count => $5,
					new_host => $6, new_state => $7, event_types => $8,
					event_seats => $9, event_heists => $10,
					event_colors => $11, event_public_data => $12,
					event_private_data => $13,
					event_replay_data => $14)
			END)))
