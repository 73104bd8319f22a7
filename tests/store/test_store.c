/*
 * test_store.c - every statement, every function, and two connections in each
 * other's way; against a real server.
 */
#include "asks.h"
#include "postgres/encryption.h"

/* --- one game ------------------------------------------------------------- */

static void a_created_game_can_be_loaded(void **state)
{
	struct draft draft;

	(void)state;
	draft_new(&draft);
	struct reply created = create(store, &draft.move);
	assert_int_equal(created.result, STORE_OK);
	assert_true(llabs(created.at_us - clock_wall_us()) < 60 * 1000000);

	struct reply loaded = load(store, draft.game.id, &arena);
	assert_int_equal(loaded.result, STORE_OK);
	assert_same_game(&loaded.game, &draft.game);
	assert_true(loaded.game.created_us == created.at_us);
	assert_true(loaded.game.updated_us == created.at_us);
	assert_string_equal(loaded.game.seats[0].name, draft.move.join.name);
	assert_memory_equal(loaded.game.seats[0].token_hash, draft.hash,
	                    STORE_HASH_SIZE);

	struct reply found = find_invitation(draft.code);
	assert_int_equal(found.result, STORE_OK);
	assert_memory_equal(&found.id, &draft.game.id, sizeof(found.id));
}

static void a_game_may_have_no_mode_and_a_state_of_2_kib(void **state)
{
	uint8_t bytes[2048];
	struct draft draft;

	(void)state;
	draft_new(&draft);
	randombytes_buf(bytes, sizeof(bytes));
	bytes[0] &= STATE_FORMAT_MAX;
	draft.game.mode = NULL;
	draft.game.spectators = true;
	draft.game.is_public = false;
	draft.game.state = bytes;
	draft.game.state_len =
		sizeof(bytes) - (encryption_first() ? ENCRYPTION_EXTRA : 0);
	assert_int_equal(create(store, &draft.move).result, STORE_OK);
	struct reply loaded = load(store, draft.game.id, &arena);
	assert_int_equal(loaded.result, STORE_OK);
	assert_same_game(&loaded.game, &draft.game);
}

static void a_committed_move_can_be_loaded(void **state)
{
	struct draft draft;
	uint8_t hash[STORE_HASH_SIZE] = { 9 };

	(void)state;
	create_new(&draft);
	draft_next(&draft, 3);
	draft.game.status = "playing";
	draft.game.seats_count = 2;
	draft.game.seats_max = 2;
	draft.game.host = 2;
	draft.state[0] ^= 1;
	draft.move.join = (struct store_join){
		.seat = 2, .name = "Bob", .name_key = "bob", .token_hash = hash
	};
	struct reply kept = commit_move(store, &draft.move);
	assert_int_equal(kept.result, STORE_OK);

	struct reply loaded = load(store, draft.game.id, &arena);
	assert_int_equal(loaded.result, STORE_OK);
	assert_same_game(&loaded.game, &draft.game);
	assert_true(loaded.game.updated_us == kept.at_us);
	assert_true(loaded.game.created_us < kept.at_us);
	assert_string_equal(loaded.game.seats[0].name, "Ada \xc3\x9f");
	assert_string_equal(loaded.game.seats[1].name, "Bob");
	assert_memory_equal(loaded.game.seats[0].token_hash, draft.hash,
	                    STORE_HASH_SIZE);
	assert_memory_equal(loaded.game.seats[1].token_hash, hash,
	                    STORE_HASH_SIZE);
}

static void six_seats_are_loaded_in_order(void **state)
{
	static const char *const names[] = { "f", "e", "d", "c", "b", "a" };
	struct draft draft;

	(void)state;
	create_new(&draft);
	for (int seat = 2; seat <= STORE_SEATS_MAX; seat++) {
		draft_next(&draft, 1);
		draft.game.seats_count = (uint8_t)seat;
		memset(draft.hash, seat, sizeof(draft.hash));
		draft.move.join.seat = (uint8_t)seat;
		draft.move.join.name = names[seat - 1];
		draft.move.join.name_key = names[seat - 1];
		assert_int_equal(commit_move(store, &draft.move).result,
		                 STORE_OK);
	}
	struct reply loaded = load(store, draft.game.id, &arena);
	assert_int_equal(loaded.result, STORE_OK);
	for (int seat = 2; seat <= STORE_SEATS_MAX; seat++) {
		const struct store_seat *is = &loaded.game.seats[seat - 1];

		assert_string_equal(is->name, names[seat - 1]);
		assert_int_equal(is->token_hash[0], seat);
		assert_int_equal(is->token_hash[31], seat);
	}
}

static void a_missing_game_is_reported(void **state)
{
	struct draft draft;

	(void)state;
	draft_new(&draft);
	assert_int_equal(load(store, draft.game.id, &arena).result, STORE_NONE);
	assert_int_equal(commit_move(store, &draft.move).result,
	                 STORE_CONFLICT);
	assert_int_equal(delete_game(draft.game.id, 1).result, STORE_CONFLICT);
	assert_int_equal(find_invitation(draft.code).result, STORE_NONE);
	struct reply none = read_events(draft.game.id, 0, 9, 9);
	assert_int_equal(none.result, STORE_OK);
	assert_int_equal(none.rows_count, 0);
	assert_false(none.more);
}

/* --- conflicts ------------------------------------------------------------ */

static void a_move_that_comes_too_late_writes_nothing(void **state)
{
	struct draft draft;
	char before[TEXT_MAX];

	(void)state;
	create_new(&draft);
	draft_next(&draft, 1);
	assert_int_equal(commit_move(store, &draft.move).result, STORE_OK);
	(void)snprintf(before, sizeof(before), "%s", all_rows(draft.game.id));

	/* Decided against version 2, of which 3 has come by now. */
	draft.move.join.seat = 2;
	draft.move.join.name_key = "late";
	struct reply late = commit_move(store, &draft.move);
	assert_int_equal(late.result, STORE_CONFLICT);
	assert_string_equal(all_rows(draft.game.id), before);
}

static void one_of_two_moves_at_once_commits(void **state)
{
	struct store *other = open_store(app_url(), 1, 5000);
	struct reply answers[2] = { { .count = 0 } };
	struct draft one;
	struct draft two;

	(void)state;
	await_ready(other);
	create_new(&one);
	two = one;
	two.move.game = &two.game;
	two.move.events = two.events;
	draft_next(&one, 1);
	draft_next(&two, 2);

	/* Both are let go when both have begun. */
	sql(owner, "BEGIN");
	sql(owner, "SELECT 1 FROM gangd.game WHERE game_id = '%s' FOR UPDATE",
	    id_text(one.game.id));
	store_commit_move(store, &one.move, on_answer, &answers[0]);
	store_commit_move(other, &two.move, on_answer, &answers[1]);
	store_flush(store);
	store_flush(other);
	await_waiting(2);
	sql(owner, "ROLLBACK");
	await(store, &answers[0], 1);
	await(other, &answers[1], 1);

	bool first = answers[0].result == STORE_OK;
	assert_int_equal(answers[!first].result, STORE_OK);
	assert_int_equal(answers[first].result, STORE_CONFLICT);
	assert_string_equal(sql(owner,
	                        "SELECT count(*) FROM gangd.event "
	                        "WHERE game_id = '%s'",
	                        id_text(one.game.id)),
	                    first ? "3" : "4");
	struct reply loaded = load(store, one.game.id, &arena);
	assert_int_equal(loaded.game.version, first ? 3 : 4);
	store_close(other);
}

static void a_code_in_use_is_taken(void **state)
{
	struct draft first;
	struct draft second;

	(void)state;
	create_new(&first);
	draft_new(&second);
	second.game.invite_code = first.code;
	assert_int_equal(create(store, &second.move).result, STORE_TAKEN);
	assert_int_equal(load(store, second.game.id, &arena).result,
	                 STORE_NONE);
	struct reply found = find_invitation(first.code);
	assert_memory_equal(&found.id, &first.game.id, sizeof(found.id));
}

/* The rules see to this; that the database does too is a second lock. */
static void a_taken_name_is_refused_whole(void **state)
{
	struct draft draft;
	char before[TEXT_MAX];

	(void)state;
	create_new(&draft);
	(void)snprintf(before, sizeof(before), "%s", all_rows(draft.game.id));
	draft_next(&draft, 1);
	draft.game.seats_count = 2;
	draft.move.join.seat = 2;
	assert_int_equal(commit_move(store, &draft.move).result, STORE_BROKEN);
	assert_string_equal(all_rows(draft.game.id), before);
	assert_int_equal(ping(store), STORE_OK);
}

static void an_id_in_use_is_refused_whole(void **state)
{
	struct draft first;
	struct draft second;

	(void)state;
	create_new(&first);
	draft_new(&second);
	second.game.id = first.game.id;
	assert_int_equal(create(store, &second.move).result, STORE_BROKEN);
	assert_int_equal(find_invitation(second.code).result, STORE_NONE);
}

/* --- events, the end of games --------------------------------------------- */

static void events_come_in_pages(void **state)
{
	struct draft draft;

	(void)state;
	create_new(&draft);
	draft_next(&draft, STORE_EVENTS_MAX);
	struct reply kept = commit_move(store, &draft.move);
	assert_int_equal(kept.result, STORE_OK);

	struct reply page = read_events(draft.game.id, 2, 34, 10);
	assert_int_equal(page.result, STORE_OK);
	assert_int_equal(page.rows_count, 10);
	assert_true(page.more);
	for (size_t i = 0; i < page.rows_count; i++) {
		assert_int_equal(page.events[i].version, 3 + i);
		assert_true(page.events[i].at_us == kept.at_us);
		assert_same_event(&page.events[i], &draft.events[i]);
		assert_null(page.events[i].replay_data);
	}
	page = read_events(draft.game.id, 24, 34, 10);
	assert_int_equal(page.rows_count, 10);
	assert_int_equal(page.events[9].version, 34);
	assert_false(page.more);
	page = read_events(draft.game.id, 24, 30, 10);
	assert_int_equal(page.rows_count, 6);
	assert_false(page.more);
	page = read_events(draft.game.id, 0, 34, STORE_PAGE_MAX);
	assert_int_equal(page.rows_count, 34);
}

static void the_operator_reads_the_replay_data(void **state)
{
	struct admin *admin = admin_open(owner_url());
	const struct store_event *list;
	struct store_game game;
	struct draft draft;
	size_t count;

	(void)state;
	assert_non_null(admin);
	create_new(&draft);
	assert_int_equal(admin_load(admin, draft.game.id, &arena, &game),
	                 FINDING_FOUND);
	assert_same_game(&game, &draft.game);
	assert_int_equal(admin_events(admin, draft.game.id, &arena, &list,
	                              &count),
	                 FINDING_FOUND);
	assert_int_equal(count, 2);
	for (size_t i = 0; i < count; i++) {
		const struct store_event *should = &draft.events[i];

		assert_int_equal(list[i].version, i + 1);
		assert_same_event(&list[i], should);
		assert_same_part(list[i].replay_data, list[i].replay_len,
		                 should->replay_data, should->replay_len);
	}
	draft.game.id.bytes[15] ^= 1;
	assert_int_equal(admin_load(admin, draft.game.id, &arena, &game),
	                 FINDING_ABSENT);
	admin_close(admin);
}

static void an_incomplete_row_is_damaged(void **state)
{
	struct draft draft;

	(void)state;
	create_new(&draft);
	sql(owner, "UPDATE gangd.game SET seats_count = 0 WHERE game_id = '%s'",
	    id_text(draft.game.id));
	assert_int_equal(load(store, draft.game.id, &arena).result,
	                 STORE_BROKEN);
	sql(owner,
	    "UPDATE gangd.game SET seats_count = 1, ruleset = 256 "
	    "WHERE game_id = '%s'",
	    id_text(draft.game.id));
	assert_int_equal(load(store, draft.game.id, &arena).result,
	                 STORE_BROKEN);
}

/* --- many at once --------------------------------------------------------- */

static void each_of_500_loads_gets_its_own_answer(void **state)
{
	static struct reply answers[500];
	struct draft drafts[5];

	(void)state;
	memset(answers, 0, sizeof(answers));
	for (int i = 0; i < 5; i++)
		create_new(&drafts[i]);
	for (int i = 0; i < 500; i++)
		queue_load(store, drafts[i % 5].game.id, NULL, &arena,
		           &answers[i]);
	await(store, answers, 500);
	for (int i = 0; i < 500; i++) {
		assert_int_equal(answers[i].result, STORE_OK);
		assert_same_game(&answers[i].game, &drafts[i % 5].game);
	}
}

/* The other statements of its batch succeed. */
static void a_failing_statement_fails_alone(void **state)
{
	enum { EACH = 5 };
	struct reply good[2 * EACH] = { { .count = 0 } };
	struct reply bad = { .count = 0 };
	struct draft draft;

	(void)state;
	create_new(&draft);
	for (size_t i = 0; i < EACH; i++)
		queue_load(store, draft.game.id, NULL, &arena, &good[i]);
	store_find_invitation(store, "no \xff text", on_answer, &bad);
	for (size_t i = EACH; i < ARRAY_LEN(good); i++)
		queue_load(store, draft.game.id, NULL, &arena, &good[i]);
	await(store, &bad, 1);
	assert_int_equal(bad.result, STORE_BROKEN);
	for (size_t i = 0; i < ARRAY_LEN(good); i++) {
		await(store, &good[i], 1);
		assert_int_equal(good[i].result, STORE_OK);
		assert_int_equal(good[i].count, 1);
	}
}

static void a_full_queue_refuses_statements(void **state)
{
	static struct reply answers[5000];
	unsigned served = 0;

	(void)state;
	memset(answers, 0, sizeof(answers));
	for (int i = 0; i < 5000; i++) {
		store_ping(store, on_answer, &answers[i]);
		assert_int_equal(answers[i].count, 0);
	}
	assert_int_equal(store_timeout_ns(store), 0);
	await(store, answers, 5000);
	for (int i = 0; i < 5000; i++) {
		if (answers[i].result == STORE_OK)
			served++;
		else
			assert_int_equal(answers[i].result, STORE_UNAVAILABLE);
	}
	assert_int_equal(served, 4096);
	assert_int_equal(ping(store), STORE_OK);
}

/* --- all of them ---------------------------------------------------------- */

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_A_STORE(a_created_game_can_be_loaded),
		ON_A_STORE(a_game_may_have_no_mode_and_a_state_of_2_kib),
		ON_A_STORE(a_committed_move_can_be_loaded),
		ON_A_STORE(six_seats_are_loaded_in_order),
		ON_A_STORE(a_missing_game_is_reported),
		ON_A_STORE(a_move_that_comes_too_late_writes_nothing),
		ON_A_STORE(one_of_two_moves_at_once_commits),
		ON_A_STORE(a_code_in_use_is_taken),
		ON_A_STORE(a_taken_name_is_refused_whole),
		ON_A_STORE(an_id_in_use_is_refused_whole),
		ON_A_STORE(events_come_in_pages),
		ON_A_STORE(the_operator_reads_the_replay_data),
		ON_A_STORE(an_incomplete_row_is_damaged),
		ON_A_STORE(each_of_500_loads_gets_its_own_answer),
		ON_A_STORE(a_failing_statement_fails_alone),
		ON_A_STORE(a_full_queue_refuses_statements),
	};

	return run_both_ways("store", tests, ARRAY_LEN(tests), 0);
}
