-- Commit a decided move: the time, or NULL on a conflict.
SELECT gangd.commit_move(
	the_game => $1, loaded_version => $2, new_status => $3,
	new_seats_max => $4, new_seats_count => $5, new_host => $6,
	new_state => $7, event_types => $8, event_seats => $9,
	event_heists => $10, event_colors => $11, event_public_data => $12,
	event_private_data => $13, event_replay_data => $14)
