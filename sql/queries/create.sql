-- Create a game with its first seats, under an idempotency key ($29 to $31) unless it is
-- NULL: the time, or NULL when the invitation code or the key is in use.
SELECT CASE WHEN
	CASE WHEN $29::bytea IS NULL THEN true
	ELSE gangd.claim_idempotency_key(
		new_key_hash => $29, new_request_hash => $30, the_game => $1,
		new_sealed => $31)
	END
THEN gangd.settle_idempotency_key(
	claimed_key_hash => $29,
	created_at => gangd.seat_players(
		the_game => $1, new_seats => $22, new_names => $23,
		new_name_keys => $24, new_avatars => $25,
		new_token_hashes => $26, new_bot_levels => $27,
		new_client_references => $28,
		committed_at => gangd.create_game(
			the_game => $1, new_invite_code => $2,
			new_ruleset => $3, new_rules_version => $4,
			new_mode => $5, new_is_public => $6,
			new_spectators => $7, new_absence_seconds => $8,
			new_creator_address => $9, new_status => $10,
			new_seats_max => $11, new_seats_count => $12,
			new_host => $13, new_state => $14, event_types => $15,
			event_seats => $16, event_heists => $17,
			event_colors => $18, event_public_data => $19,
			event_private_data => $20, event_replay_data => $21)))
END
