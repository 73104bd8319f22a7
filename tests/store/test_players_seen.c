/*
 * test_players_seen.c - when players were last seen: updates of many, records
 * of one, stale seats, and removals of absent players.
 */
#include "group.h"

enum { STEP_US = 10 * 1000 * 1000 };

static struct reply last_seen(struct uuid id)
{
	struct reply answer = { .count = 0 };

	store_last_seen(store, id, &arena, on_answer, &answer);
	await(store, &answer, 1);
	assert_int_equal(answer.result, STORE_OK);
	return answer;
}

static enum store_result update_last_seen(const struct store_caller *seen,
                                          size_t count)
{
	struct reply answer = { .count = 0 };

	store_update_last_seen(store, seen, count, on_answer, &answer);
	await(store, &answer, 1);
	return answer.result;
}

static void queue_record(const struct store_caller *seen, struct reply *answer)
{
	store_record_last_seen(store, seen->game, seen->token_hash,
	                       seen->version, on_answer, answer);
	store_flush(store);
}

static struct reply record(const struct store_caller *seen)
{
	struct reply answer = { .count = 0 };

	queue_record(seen, &answer);
	await(store, &answer, 1);
	return answer;
}

static struct store_caller player(struct uuid game, unsigned number)
{
	struct store_caller seen = { .game = game };

	hash_of(number, seen.token_hash);
	return seen;
}

/* Set last_seen of all seats of a game to an hour ago. */
static void set_back(struct uuid id)
{
	sql(owner,
	    "UPDATE gangd.seat SET last_seen = now() - interval '1 hour' "
	    "WHERE game_id = '%s'",
	    id_text(id));
}

/* For each seat in order: "+" if last_seen is now, "-" if long ago. */
static void assert_seen(struct uuid id, const char *should)
{
	struct reply found = last_seen(id);
	char text[STORE_SEATS_MAX + 1] = "      ";

	for (size_t i = 0; i < found.rows_count; i++) {
		const struct store_last_seen *seat = &found.players[i];
		int64_t ago_us = seat->now_us - seat->last_seen_us;

		assert_in_range(seat->seat, 1, STORE_SEATS_MAX);
		assert_true(ago_us >= 0);
		text[seat->seat - 1] = ago_us < STEP_US + 5000000 ? '+' : '-';
		if (text[seat->seat - 1] == '+')
			assert_int_equal(seat->last_seen_us % STEP_US, 0);
	}
	text[strcspn(text, " ")] = '\0';
	assert_string_equal(text, should);
}

/* --- updates and records -------------------------------------------------- */

static void joining_sets_last_seen(void **state)
{
	struct draft draft;

	(void)state;
	create_table(&draft, 3);
	assert_seen(draft.game.id, "+++");
	assert_true(last_seen(draft.game.id).players[0].now_us -
	                    clock_wall_us() <
	            60000000);
	draft_new(&draft);
	assert_int_equal(last_seen(draft.game.id).rows_count, 0);
}

static void a_request_updates_last_seen(void **state)
{
	struct store_caller seen[3];
	struct draft draft;
	struct draft other;

	(void)state;
	create_table(&draft, 4);
	create_table(&other, 3);
	set_back(draft.game.id);
	set_back(other.game.id);
	assert_seen(draft.game.id, "----");
	seen[0] = player(draft.game.id, 2);
	seen[1] = player(other.game.id, 1);
	seen[2] = player(draft.game.id, 4);
	assert_int_equal(update_last_seen(seen, 3), STORE_OK);
	assert_seen(draft.game.id, "-+-+");
	assert_seen(other.game.id, "+--");
}

/* Two loops, or two players in one place of the table, name one twice. */
static void a_seat_noted_twice_has_the_newest_version(void **state)
{
	struct store_caller seen[3];
	struct draft draft;

	(void)state;
	create_table(&draft, 3);
	set_back(draft.game.id);
	seen[0] = seen[1] = seen[2] = player(draft.game.id, 3);
	seen[0].version = 7;
	seen[1].version = 9;
	seen[2].version = 8;
	assert_int_equal(update_last_seen(seen, 3), STORE_OK);
	assert_seen(draft.game.id, "--+");
	assert_string_equal(sql(owner,
	                        "SELECT seen_version FROM gangd.seat "
	                        "WHERE game_id = '%s' AND seat = 3",
	                        id_text(draft.game.id)),
	                    "9");
}

static void unknown_seats_are_not_updated(void **state)
{
	struct store_caller seen[3];
	char before[TEXT_MAX];
	struct draft draft;
	struct draft other;

	(void)state;
	create_table(&draft, 3);
	create_table(&other, 5);
	set_back(draft.game.id);
	save_rows(draft.game.id, before);
	seen[0] = player(draft.game.id, 5);
	seen[1] = player(draft.game.id, 9);
	draft_new(&other);
	seen[2] = player(other.game.id, 1);
	assert_int_equal(update_last_seen(seen, 3), STORE_OK);
	assert_string_equal(all_rows(draft.game.id), before);
}

/* last_seen is never set back, either. */
static void last_seen_is_written_once_a_step(void **state)
{
	struct store_caller seen;
	char before[TEXT_MAX];
	struct draft draft;

	(void)state;
	create_table(&draft, 3);
	seen = player(draft.game.id, 2);
	sql(owner,
	    "UPDATE gangd.seat SET last_seen = now() + interval '1 minute' "
	    "WHERE game_id = '%s'",
	    id_text(draft.game.id));
	save_rows(draft.game.id, before);
	assert_int_equal(update_last_seen(&seen, 1), STORE_OK);
	assert_string_equal(all_rows(draft.game.id), before);
}

/* An update waits for no lock: it would delay all other players in it. */
static void a_locked_seat_keeps_its_last_seen(void **state)
{
	struct store_caller seen[2];
	struct draft draft;

	(void)state;
	create_table(&draft, 3);
	set_back(draft.game.id);
	seen[0] = player(draft.game.id, 1);
	seen[1] = player(draft.game.id, 2);
	sql(owner, "BEGIN");
	sql(owner, "DELETE FROM gangd.seat WHERE game_id = '%s' AND seat = 2",
	    id_text(draft.game.id));
	assert_int_equal(update_last_seen(seen, 2), STORE_OK);
	sql(owner, "ROLLBACK");
	assert_seen(draft.game.id, "+--");
	assert_int_equal(update_last_seen(seen, 2), STORE_OK);
	assert_seen(draft.game.id, "++-");
}

static void a_move_commits_meanwhile(void **state)
{
	struct store_caller seen;
	struct draft draft;

	(void)state;
	create_table(&draft, 3);
	set_back(draft.game.id);
	sql(owner, "BEGIN");
	sql(owner,
	    "SELECT 1 FROM gangd.seat WHERE game_id = '%s' "
	    "FOR NO KEY UPDATE",
	    id_text(draft.game.id));
	assert_int_equal(commit_move(store, &draft.move).result, STORE_OK);
	sql(owner, "ROLLBACK");

	sql(owner, "BEGIN");
	sql(owner, "SELECT 1 FROM gangd.game WHERE game_id = '%s' FOR UPDATE",
	    id_text(draft.game.id));
	seen = player(draft.game.id, 3);
	assert_int_equal(update_last_seen(&seen, 1), STORE_OK);
	sql(owner, "ROLLBACK");
	assert_seen(draft.game.id, "--+");
}

static void one_statement_updates_as_many_seats_as_fit(void **state)
{
	static struct store_caller seen[STORE_LAST_SEEN_MAX];
	struct draft draft;

	(void)state;
	create_table(&draft, 3);
	set_back(draft.game.id);
	for (size_t i = 0; i < ARRAY_LEN(seen); i++)
		seen[i] = player(draft.game.id, 7);
	seen[STORE_LAST_SEEN_MAX - 1] = player(draft.game.id, 2);
	assert_int_equal(update_last_seen(seen, STORE_LAST_SEEN_MAX), STORE_OK);
	assert_seen(draft.game.id, "-+-");
}

static void last_seen_moves_up_with_the_player(void **state)
{
	struct store_caller seen;
	struct draft draft;

	(void)state;
	create_table(&draft, 3);
	set_back(draft.game.id);
	seen = player(draft.game.id, 3);
	assert_int_equal(update_last_seen(&seen, 1), STORE_OK);
	draft.game.seats_count = 2;
	draft.move.leave = (struct store_leave){ .seat = 1, .closes_up = true };
	assert_int_equal(leave(&draft.move).result, STORE_OK);
	assert_seen(draft.game.id, "-+");
}

static void taking_a_seat_over_sets_last_seen(void **state)
{
	struct draft draft;

	(void)state;
	create_table(&draft, 3);
	draft.game.status = "playing";
	set_back(draft.game.id);
	draft.move.leave = (struct store_leave){ .seat = 2 };
	assert_int_equal(leave(&draft.move).result, STORE_OK);
	draft_next(&draft, 1);
	hash_of(9, draft.hash);
	draft.move.join = (struct store_join){ .seat = 2,
		                               .name = "n",
		                               .name_key = "n",
		                               .token_hash = draft.hash };
	assert_int_equal(commit_move(store, &draft.move).result, STORE_OK);
	assert_seen(draft.game.id, "-+-");
}

/* --- players who come back ------------------------------------------------ */

static void set_absence(struct uuid id, const char *seconds)
{
	sql(owner,
	    "UPDATE gangd.game SET absence_seconds = %s WHERE game_id = '%s'",
	    seconds, id_text(id));
}

static void assert_stale(struct uuid id, const char *should)
{
	static const uint8_t key[STORE_HASH_SIZE] = { 1 };
	struct store_load load = { .id = id, .finds_stale = true };
	struct reply loaded[3] = { { .count = 0 } };

	/* One that does not ask, with one that does. */
	queue_load(store, id, NULL, &arena, &loaded[2]);
	store_load(store, &load, &arena, on_answer, &loaded[0]);
	load.key_hash = key;
	store_load(store, &load, &arena, on_answer, &loaded[1]);
	await(store, loaded, 3);
	for (size_t i = 0; i < 2; i++) {
		const struct store_game *game = &loaded[i].game;
		char text[STORE_SEATS_MAX + 1] = "";

		for (size_t seat = 0; seat < game->seats_count; seat++)
			text[seat] = game->seats[seat].is_stale ? 's' : '.';
		assert_string_equal(text, should);
	}
}

static void stale_seats_are_not_looked_for_unasked(void **state)
{
	struct draft draft;

	(void)state;
	create_table(&draft, 3);
	set_absence(draft.game.id, "120");
	set_back(draft.game.id);
	assert_stale(draft.game.id, "sss");
	struct reply loaded = load(store, draft.game.id, &arena);
	assert_int_equal(loaded.result, STORE_OK);
	for (size_t seat = 0; seat < 3; seat++)
		assert_false(loaded.game.seats[seat].is_stale);
}

static void a_seat_is_stale_after_half_the_absence(void **state)
{
	struct draft draft;

	(void)state;
	create_table(&draft, 4);
	assert_stale(draft.game.id, "....");
	sql(owner,
	    "UPDATE gangd.seat SET last_seen = now() - "
	    "(ARRAY[0, 290, 301, 100000])[seat] * interval '1 second' "
	    "WHERE game_id = '%s'",
	    id_text(draft.game.id));
	assert_stale(draft.game.id, "....");
	set_absence(draft.game.id, "600");
	assert_stale(draft.game.id, "..ss");
	set_absence(draft.game.id, "120");
	assert_stale(draft.game.id, ".sss");
	set_absence(draft.game.id, "604800");
	assert_stale(draft.game.id, "....");
	/* A vacant seat is not stale. */
	set_absence(draft.game.id, "120");
	draft.move.leave = (struct store_leave){ .seat = 3 };
	assert_int_equal(leave(&draft.move).result, STORE_OK);
	assert_stale(draft.game.id, ".s.s");
}

static void an_updated_seat_is_not_stale(void **state)
{
	struct store_caller seen;
	struct draft draft;

	(void)state;
	create_table(&draft, 3);
	set_absence(draft.game.id, "120");
	set_back(draft.game.id);
	seen = player(draft.game.id, 2);
	struct reply recorded = record(&seen);
	assert_int_equal(recorded.result, STORE_OK);
	assert_true(recorded.at_us > 0);
	assert_seen(draft.game.id, "-+-");
	assert_stale(draft.game.id, "s.s");
	assert_int_equal(record(&seen).result, STORE_OK);
}

static void recording_an_unknown_seat_changes_nothing(void **state)
{
	struct store_caller seen;
	char before[TEXT_MAX];
	struct draft draft;
	struct draft none;

	(void)state;
	create_table(&draft, 3);
	save_rows(draft.game.id, before);
	seen = player(draft.game.id, 9);
	assert_int_equal(record(&seen).result, STORE_NONE);
	draft_new(&none);
	seen = player(none.game.id, 1);
	assert_int_equal(record(&seen).result, STORE_NONE);
	assert_string_equal(all_rows(draft.game.id), before);
}

/* The request that is recorded is answered only if the seat is still taken. */
static void an_update_of_last_seen_waits_for_a_removal(void **state)
{
	static const char *const ends[] = { "ROLLBACK", "COMMIT" };
	static const enum store_result results[] = { STORE_OK, STORE_NONE };
	struct store_caller seen;
	struct draft draft;

	(void)state;
	create_table(&draft, 3);
	seen = player(draft.game.id, 2);
	for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
		struct reply answer = { .count = 0 };

		sql(owner, "BEGIN");
		sql(owner,
		    "DELETE FROM gangd.seat WHERE game_id = '%s' AND seat = 2",
		    id_text(draft.game.id));
		queue_record(&seen, &answer);
		await_waiting(1);
		assert_int_equal(answer.count, 0);
		sql(owner, "%s", ends[i]);
		await(store, &answer, 1);
		assert_int_equal(answer.result, results[i]);
	}
	copy_seats(draft.game.id);
}

/* last_seen_us is what the removal was decided against; 0: by the host. */
static void a_player_seen_meanwhile_is_not_removed(void **state)
{
	static const uint8_t hash[STORE_HASH_SIZE] = { 3 };
	char before[TEXT_MAX];
	struct draft draft;

	(void)state;
	create_table(&draft, 3);
	set_back(draft.game.id);
	int64_t last_seen_us = last_seen(draft.game.id).players[1].last_seen_us;
	save_rows(draft.game.id, before);
	draft.move.leave =
		(struct store_leave){ .seat = 2, .renews_code = true };
	draft.game.invite_code = batch_max > 1 ? "NEWCODE1" : "NEWCODE0";
	for (unsigned is_keyed = 0; is_keyed < 2; is_keyed++) {
		if (is_keyed)
			draft.move.key = (struct store_key){ hash, hash };
		draft.move.leave.last_seen_us = last_seen_us + 1;
		assert_int_equal(leave(&draft.move).result, STORE_CONFLICT);
		draft.move.leave.last_seen_us = last_seen_us - 1;
		assert_int_equal(leave(&draft.move).result, STORE_CONFLICT);
	}
	assert_string_equal(all_rows(draft.game.id), before);
	draft.move.leave.last_seen_us = last_seen_us;
	assert_int_equal(leave(&draft.move).result, STORE_OK);
	assert_int_equal(last_seen(draft.game.id).rows_count, 2);
}

static void a_removal_waits_for_an_update_of_last_seen(void **state)
{
	static const char *const ends[] = { "COMMIT", "ROLLBACK" };
	static const enum store_result results[] = { STORE_CONFLICT, STORE_OK };
	struct draft draft;

	(void)state;
	create_table(&draft, 3);
	draft.move.leave = (struct store_leave){ .seat = 2 };
	for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
		struct reply answer = { .count = 0 };

		set_back(draft.game.id);
		draft.move.leave.last_seen_us =
			last_seen(draft.game.id).players[1].last_seen_us;
		sql(owner, "BEGIN");
		sql(owner,
		    "UPDATE gangd.seat SET last_seen = now() "
		    "WHERE game_id = '%s' AND seat = 2",
		    id_text(draft.game.id));
		store_commit_move(store, &draft.move, on_answer, &answer);
		store_flush(store);
		await_waiting(1);
		sql(owner, "%s", ends[i]);
		await(store, &answer, 1);
		assert_int_equal(answer.result, results[i]);
	}
}

static void the_allowed_absence_is_stored(void **state)
{
	static const uint32_t seconds[] = { 0, 120, 604800 };
	struct draft draft;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(seconds); i++) {
		draft_new(&draft);
		draft.game.absence_s = seconds[i];
		assert_int_equal(create(store, &draft.move).result, STORE_OK);
		draft_next(&draft, 1);
		assert_int_equal(commit_move(store, &draft.move).result,
		                 STORE_OK);
		struct reply loaded = load(store, draft.game.id, &arena);
		assert_int_equal(loaded.game.absence_s, seconds[i]);
	}
}

/* A player who was absent has as long as the others to come. */
static void players_of_a_rematch_begin_as_present(void **state)
{
	struct reply answer = { .count = 0 };
	struct store_caller seen;
	struct draft draft;
	struct draft next;

	(void)state;
	create_table(&draft, 4);
	set_back(draft.game.id);
	seen = player(draft.game.id, 3);
	assert_int_equal(update_last_seen(&seen, 1), STORE_OK);
	draft.game.status = "won";
	draft.move.leave = (struct store_leave){ .seat = 2 };
	assert_int_equal(leave(&draft.move).result, STORE_OK);
	draft_next(&draft, 1);
	draft_new(&next);
	next.game.rematch_of = draft.game.id;
	next.game.seats_count = 3;
	next.game.absence_s = 120;
	next.move.join.seat = 0;
	store_rematch(store, &draft.move, &next.move, on_answer, &answer);
	await(store, &answer, 1);
	assert_int_equal(answer.result, STORE_OK);
	assert_seen(next.game.id, "+++");
	assert_int_equal(load(store, next.game.id, &arena).game.absence_s, 120);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_A_STORE(joining_sets_last_seen),
		ON_A_STORE(a_request_updates_last_seen),
		ON_A_STORE(a_seat_noted_twice_has_the_newest_version),
		ON_A_STORE(unknown_seats_are_not_updated),
		ON_A_STORE(last_seen_is_written_once_a_step),
		ON_A_STORE(a_locked_seat_keeps_its_last_seen),
		ON_A_STORE(a_move_commits_meanwhile),
		ON_A_STORE(one_statement_updates_as_many_seats_as_fit),
		ON_A_STORE(last_seen_moves_up_with_the_player),
		ON_A_STORE(taking_a_seat_over_sets_last_seen),
		ON_A_STORE(stale_seats_are_not_looked_for_unasked),
		ON_A_STORE(a_seat_is_stale_after_half_the_absence),
		ON_A_STORE(an_updated_seat_is_not_stale),
		ON_A_STORE(recording_an_unknown_seat_changes_nothing),
		ON_A_STORE(an_update_of_last_seen_waits_for_a_removal),
		ON_A_STORE(a_player_seen_meanwhile_is_not_removed),
		ON_A_STORE(a_removal_waits_for_an_update_of_last_seen),
		ON_A_STORE(the_allowed_absence_is_stored),
		ON_A_STORE(players_of_a_rematch_begin_as_present),
	};

	return run_both_ways("players_seen", tests, ARRAY_LEN(tests), 0);
}
