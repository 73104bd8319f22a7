-- Commit a decided move, with its notifications and the idempotency keys, which
-- may both be NULL: the time, or NULL on a conflict.  One call with the game's id, so
-- that a server of several can carry it out as a whole.
SELECT gangd.commit_and_record(
	the_game => $1, loaded_version => $2, new_status => $3,
	new_seats_max => $4, new_seats_count => $5, new_host => $6,
	new_state => $7, event_types => $8, event_seats => $9,
	event_heists => $10, event_colors => $11, event_public_data => $12,
	event_private_data => $13, event_replay_data => $14,
	told_seats => $15, told_codes => $16, done_seats => $17,
	for_webhook => $18, loaded_revision => $19, new_recent_keys => $20)
