-- As commit_move, with a change of the seats and an idempotency key of its own ($19 to
-- $22; NULL: none), and for any revision: a seat becomes free ($23 to $26), players
-- take seats ($27 to $33), a player gets another name or avatar ($34 to $37), or another
-- token ($38 and $39).  What does not happen is NULL.  The time; or NULL on a conflict,
-- when the new invitation code is in use, or when a request of the player who is
-- removed as absent was received since the decision.
--
-- Each step is a query of its own, which is carried out once, and hands the time on.
SELECT CASE WHEN $19::bytea IS NULL THEN renewed.at ELSE
	gangd.record_idempotency_key(
		the_game => $1, new_key_hash => $19, new_request_hash => $20,
		new_location => $21, new_sealed => $22,
		committed_at => renewed.at)
	END
FROM (
	SELECT CASE WHEN $38::smallint IS NULL THEN changed.at ELSE
		gangd.renew_token(
			the_game => $1, the_seat => $38, new_token_hash => $39,
			committed_at => changed.at)
		END AS at
	FROM (
		SELECT CASE WHEN $34::smallint IS NULL THEN seated.at ELSE
			gangd.change_player(
				the_game => $1, the_seat => $34, new_name => $35,
				new_name_key => $36, new_avatar => $37,
				committed_at => seated.at)
			END AS at
		FROM (
			SELECT gangd.seat_players(
				the_game => $1, new_seats => $27, new_names => $28,
				new_name_keys => $29, new_avatars => $30,
				new_token_hashes => $31, new_bot_levels => $32,
				new_client_references => $33,
				committed_at => CASE WHEN
					CASE WHEN $23::smallint IS NULL THEN true
					WHEN gangd.lock_absent_player(
						the_game => $1, loaded_version => $2,
						the_seat => $23, loaded_last_seen => $26)
					THEN gangd.free_seat(
						the_game => $1, loaded_version => $2,
						leaving_seat => $23, closes_up => $24,
						new_invite_code => $25)
					END
				THEN gangd.commit_and_record(
					the_game => $1, loaded_version => $2,
					new_status => $3, new_seats_max => $4,
					new_seats_count => $5, new_host => $6,
					new_state => $7, event_types => $8,
					event_seats => $9, event_heists => $10,
					event_colors => $11, event_public_data => $12,
					event_private_data => $13,
					event_replay_data => $14, told_seats => $15,
					told_codes => $16, done_seats => $17,
					for_webhook => $18)
				END) AS at
		) AS seated
	) AS changed
) AS renewed
