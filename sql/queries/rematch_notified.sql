-- As rematch, of a game in which seats want to be told: they are told $29, each; $30
-- says whether the webhook is.
SELECT gangd.notify_seats(
	the_game => $1, new_version => $2 + 1, told_seats => $28,
	told_codes => $29, done_seats => '{}',
	for_webhook => $30,
	committed_at => CASE WHEN gangd.lock_game(the_game => $1, loaded_version => $2) THEN
		gangd.start_rematch(
			the_game => $1, loaded_version => $2, event_type => $3,
			event_seat => $4, event_public_data => $5,
			event_replay_data => $6, new_game => $7,
			created_at => gangd.create_game(
				the_game => $7, new_invite_code => $8,
				new_ruleset => $9, new_rules_version => $10,
				new_mode => $11, new_is_public => $12,
				new_spectators => $13, new_absence_seconds => $14,
				new_creator_address => $15, new_status => $16,
				new_seats_max => $17, new_seats_count => $18,
				new_host => $19, new_state => $20, event_types => $21,
				event_seats => $22, event_heists => $23,
				event_colors => $24, event_public_data => $25,
				event_private_data => $26, event_replay_data => $27))
	END)
