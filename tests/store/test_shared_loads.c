/*
 * test_shared_loads.c - loads of one game that are queued together are one
 * statement.
 */
#include "group.h"

enum { CROWD = 3000, QUEUE_MAX = 4096 };

/* A session reports how often it has looked for a game when it ends. */
static unsigned long lookups_count(void)
{
	(void)sql(owner, "SELECT pg_stat_clear_snapshot()");
	return strtoul(sql(owner, "SELECT idx_scan FROM pg_stat_all_tables "
	                          "WHERE relid = 'gangd.game'::regclass"),
	               NULL, 10);
}

static void loads_of_a_game_share_a_statement(void **state)
{
	static struct reply answers[CROWD];
	uint64_t deadline = now_ms() + PATIENCE_MS;
	struct draft draft;
	struct uuid id = create_new(&draft);
	struct store *other = open_store(app_url(), 4, 2000);

	(void)state;
	await_ready(other);
	unsigned long before = lookups_count();
	for (size_t i = 0; i < CROWD; i++)
		queue_load(other, id, NULL, &arena, &answers[i]);
	await(other, answers, CROWD);
	store_close(other);
	while (lookups_count() == before && now_ms() < deadline)
		(void)sql(owner, "SELECT pg_sleep(0.02)");
	assert_in_range(lookups_count() - before, 1, CROWD / 10);
}

/* Each caller gets the answer in its own arena. */
static void loads_of_a_game_share_an_answer(void **state)
{
	static struct reply answers[CROWD];
	static struct arena arenas[CROWD];
	struct draft draft;
	struct uuid id = create_new(&draft);

	(void)state;
	memset(answers, 0, sizeof(answers));
	unsigned room = store_room(store);
	assert_int_equal(room, QUEUE_MAX);
	for (size_t i = 0; i < CROWD; i++) {
		arena_init(&arenas[i]);
		queue_load(store, id, NULL, &arenas[i], &answers[i]);
	}
	assert_int_equal(store_room(store), room - CROWD);
	await(store, answers, CROWD);
	assert_int_equal(store_room(store), room);
	for (size_t i = 0; i < CROWD; i++) {
		assert_int_equal(answers[i].result, STORE_OK);
		assert_int_equal(answers[i].game.version, 2);
		assert_memory_equal(answers[i].game.state, draft.state,
		                    sizeof(draft.state));
		arena_fini(&arenas[i]);
	}
}

static void loads_of_different_games_do_not_share(void **state)
{
	struct reply answers[60] = { { .count = 0 } };
	struct draft drafts[2];

	(void)state;
	create_new(&drafts[0]);
	create_new(&drafts[1]);
	for (size_t i = 0; i < ARRAY_LEN(answers); i++)
		queue_load(store, drafts[i / 3 % 2].game.id, NULL, &arena,
		           &answers[i]);
	await(store, answers, ARRAY_LEN(answers));
	for (size_t i = 0; i < ARRAY_LEN(answers); i++)
		assert_memory_equal(answers[i].game.state,
		                    drafts[i / 3 % 2].state,
		                    sizeof(drafts[0].state));
}

/* Each caller gets its own game, however loads are mixed, or STORE_NONE. */
static void loads_of_many_games_are_told_apart(void **state)
{
	enum { GAMES = 40, EACH = 3 };
	static struct draft drafts[GAMES];
	static struct reply answers[EACH * GAMES];
	struct reply none = { .count = 0 };
	struct draft missing;

	(void)state;
	memset(answers, 0, sizeof(answers));
	for (size_t i = 0; i < GAMES; i++)
		create_new(&drafts[i]);
	draft_new(&missing);
	for (size_t i = 0; i < ARRAY_LEN(answers); i++) {
		struct store_load load = { .id = drafts[i % GAMES].game.id,
			                   .finds_stale = i % 2 };

		store_load(store, &load, &arena, on_answer, &answers[i]);
		if (i == GAMES / 2)
			queue_load(store, missing.game.id, NULL, &arena, &none);
	}
	await(store, answers, ARRAY_LEN(answers));
	await(store, &none, 1);
	assert_int_equal(none.result, STORE_NONE);
	for (size_t i = 0; i < ARRAY_LEN(answers); i++) {
		const struct draft *draft = &drafts[i % GAMES];

		assert_int_equal(answers[i].result, STORE_OK);
		assert_memory_equal(&answers[i].game.id, &draft->game.id,
		                    sizeof(struct uuid));
		assert_memory_equal(answers[i].game.state, draft->state,
		                    sizeof(draft->state));
		assert_memory_equal(answers[i].game.seats[0].token_hash,
		                    draft->hash, sizeof(draft->hash));
	}
}

/* When two loads share a game, the one that looks for stale seats is sent. */
static void a_load_that_looks_for_stale_seats_wins(void **state)
{
	struct draft drafts[2];
	struct reply answers[6] = { { .count = 0 } };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(drafts); i++) {
		create_new(&drafts[i]);
		sql(owner,
		    "UPDATE gangd.game SET absence_seconds = 120 "
		    "WHERE game_id = '%s'",
		    id_text(drafts[i].game.id));
		sql(owner,
		    "UPDATE gangd.seat SET last_seen = now() - "
		    "interval '1 hour' WHERE game_id = '%s'",
		    id_text(drafts[i].game.id));
	}
	for (size_t i = 0; i < ARRAY_LEN(answers); i++) {
		struct store_load load = { .id = drafts[i % 2].game.id,
			                   .finds_stale = i == 1 || i == 2 };

		store_load(store, &load, &arena, on_answer, &answers[i]);
	}
	await(store, answers, ARRAY_LEN(answers));
	for (size_t i = 0; i < ARRAY_LEN(answers); i++) {
		assert_int_equal(answers[i].result, STORE_OK);
		if (i == 1 || i == 2)
			assert_true(answers[i].game.seats[0].is_stale);
	}
}

/* One damaged row fails the callers of its game alone. */
static void a_damaged_game_among_others_fails_alone(void **state)
{
	enum { DAMAGED = 1 };
	struct draft drafts[3];
	struct reply answers[6] = { { .count = 0 } };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(drafts); i++)
		create_new(&drafts[i]);
	sql(owner, "UPDATE gangd.game SET seats = '\\x09' WHERE game_id = '%s'",
	    id_text(drafts[DAMAGED].game.id));
	for (size_t i = 0; i < ARRAY_LEN(answers); i++)
		queue_load(store, drafts[i % 3].game.id, NULL, &arena,
		           &answers[i]);
	await(store, answers, ARRAY_LEN(answers));
	for (size_t i = 0; i < ARRAY_LEN(answers); i++)
		assert_int_equal(answers[i].result,
		                 i % 3 == DAMAGED ? STORE_BROKEN : STORE_OK);
	copy_seats(drafts[DAMAGED].game.id);
}

/* A load sent before the commit may be too old to be shared. */
static void a_load_sees_the_commits_before_it(void **state)
{
	struct draft draft;
	struct uuid id = create_new(&draft);

	(void)state;
	for (unsigned i = 0; i < 200; i++) {
		struct reply old = { .count = 0 };
		struct reply new = { .count = 0 };

		queue_load(store, id, NULL, &arena, &old);
		store_flush(store);
		draft_next(&draft, 1);
		assert_int_equal(commit_move(store, &draft.move).result,
		                 STORE_OK);
		queue_load(store, id, NULL, &arena, &new);
		await(store, &new, 1);
		await(store, &old, 1);
		assert_int_equal(new.game.version, draft.game.version);
		arena_reset(&arena);
	}
}

static void all_callbacks_run_when_no_answer_comes(void **state)
{
	struct store *other = open_store("host=/nowhere", 1, 100);
	struct reply answers[20] = { { .count = 0 } };
	struct draft draft;

	(void)state;
	draft_new(&draft);
	for (size_t i = 0; i < ARRAY_LEN(answers); i++)
		queue_load(other, draft.game.id, NULL, &arena, &answers[i]);
	await(other, answers, 10);
	await(other, answers, ARRAY_LEN(answers));
	for (size_t i = 0; i < ARRAY_LEN(answers); i++)
		assert_int_equal(answers[i].result, STORE_UNAVAILABLE);
	for (size_t i = 0; i < ARRAY_LEN(answers); i++) {
		answers[i].count = 0;
		queue_load(other, draft.game.id, NULL, &arena, &answers[i]);
	}
	store_close(other);
	for (size_t i = 0; i < ARRAY_LEN(answers); i++)
		assert_int_equal(answers[i].count, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_A_STORE(loads_of_a_game_share_a_statement),
		ON_A_STORE(loads_of_a_game_share_an_answer),
		ON_A_STORE(loads_of_different_games_do_not_share),
		ON_A_STORE(loads_of_many_games_are_told_apart),
		ON_A_STORE(a_load_that_looks_for_stale_seats_wins),
		ON_A_STORE(a_damaged_game_among_others_fails_alone),
		ON_A_STORE(a_load_sees_the_commits_before_it),
		ON_A_STORE(all_callbacks_run_when_no_answer_comes),
	};

	return run_both_ways("shared_loads", tests, ARRAY_LEN(tests), 0);
}
