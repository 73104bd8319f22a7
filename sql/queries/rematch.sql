-- Create a game as the rematch of another, whose seats are notified ($28 to $30), under
-- an idempotency key ($31 to $34); both may be NULL.  The time; or NULL on a conflict in
-- the other game, or when the invitation code is in use.
SELECT CASE WHEN $31::bytea IS NULL THEN told.at ELSE
	gangd.record_idempotency_key(
		the_game => $1, new_key_hash => $31, new_request_hash => $32,
		new_location => $33, new_sealed => $34,
		committed_at => told.at)
	END
FROM (
	SELECT CASE WHEN $28::smallint[] IS NULL THEN started.at ELSE
		gangd.notify_seats(
			the_game => $1, new_version => $2 + 1,
			told_seats => $28, told_codes => $29,
			done_seats => '{}', for_webhook => $30,
			committed_at => started.at)
		END AS at
	FROM (
		SELECT CASE WHEN gangd.lock_game(
			the_game => $1, loaded_version => $2)
		THEN gangd.start_rematch(
			the_game => $1, loaded_version => $2,
			event_type => $3, event_seat => $4,
			event_public_data => $5, event_replay_data => $6,
			new_game => $7,
			created_at => gangd.create_game(
				the_game => $7, new_invite_code => $8,
				new_ruleset => $9, new_rules_version => $10,
				new_mode => $11, new_is_public => $12,
				new_spectators => $13,
				new_absence_seconds => $14,
				new_creator_address => $15, new_status => $16,
				new_seats_max => $17, new_seats_count => $18,
				new_host => $19, new_state => $20,
				event_types => $21, event_seats => $22,
				event_heists => $23, event_colors => $24,
				event_public_data => $25,
				event_private_data => $26,
				event_replay_data => $27))
		END AS at
	) AS started
) AS told
