/*
 * test_moved.c - which games have moved on, as those who wait ask; and loads
 * of a game that are asked for together.
 */
#include "group.h"

enum { CROWD = 3000, QUEUE_MAX = 4096 };

struct moved {
	unsigned count;
	enum store_result result;
	const struct store_version *games;
	size_t games_count;
};

static void on_moved(void *arg, const struct store_answer *answer)
{
	struct moved *moved = arg;

	moved->count++;
	moved->result = answer->result;
	moved->games = answer->versions;
	moved->games_count = answer->count;
}

static struct moved find_moved(const struct store_version *seen, size_t count)
{
	uint64_t deadline = now_ms() + PATIENCE_MS;
	struct moved moved = { .count = 0 };

	store_poll_versions(store, seen, count, &arena, on_moved, &moved);
	store_flush(store);
	while (!moved.count && now_ms() < deadline)
		tick(store, 100);
	assert_int_equal(moved.count, 1);
	return moved;
}

/* The version of a game among those that have moved; 0 if it has not. */
static uint32_t version_in(const struct moved *moved, struct uuid id)
{
	for (size_t i = 0; i < moved->games_count; i++) {
		if (memcmp(&moved->games[i].id, &id, sizeof(id)) == 0)
			return moved->games[i].version;
	}
	return 0;
}

static void polling_skips_unchanged_games(void **state)
{
	struct draft draft;
	struct store_version seen = { .version = 2 };

	(void)state;
	seen.id = create_new(&draft);
	struct moved moved = find_moved(&seen, 1);
	assert_int_equal(moved.result, STORE_OK);
	assert_int_equal(moved.games_count, 0);
}

static void polling_reports_changed_games_with_their_versions(void **state)
{
	struct draft drafts[3];
	struct store_version seen[3];

	(void)state;
	for (int i = 0; i < 3; i++)
		seen[i] = (struct store_version){ create_new(&drafts[i]), 2 };
	draft_next(&drafts[1], 3);
	assert_int_equal(keep(store, &drafts[1].move).result, STORE_OK);
	struct moved moved = find_moved(seen, 3);
	assert_int_equal(moved.result, STORE_OK);
	assert_int_equal(moved.games_count, 1);
	assert_int_equal(version_in(&moved, seen[1].id), 5);
}

/* Who has read nothing yet knows version 0. */
static void a_new_replica_hears_of_all_games(void **state)
{
	struct draft draft;
	struct store_version seen = { .version = 0 };

	(void)state;
	seen.id = create_new(&draft);
	struct moved moved = find_moved(&seen, 1);
	assert_int_equal(version_in(&moved, seen.id), 2);
}

static void polling_reports_deleted_games(void **state)
{
	struct draft draft;
	struct store_version seen[2] = { { .version = 2 }, { .version = 7 } };

	(void)state;
	seen[0].id = create_new(&draft);
	draft_new(&draft); /* which was never created */
	seen[1].id = draft.game.id;
	sql(owner, "DELETE FROM gangd.game WHERE game_id = '%s'",
	    id_text(seen[0].id));
	struct moved moved = find_moved(seen, 2);
	assert_int_equal(moved.games_count, 2);
	assert_int_equal(version_in(&moved, seen[0].id), UINT32_MAX);
	assert_int_equal(version_in(&moved, seen[1].id), UINT32_MAX);
}

/* As many as a loop asks for at once, and as large as a version can be. */
static void polling_reports_thousands_of_games(void **state)
{
	static struct store_version seen[4096];
	struct draft draft;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(seen); i++) {
		draft_new(&draft);
		seen[i] = (struct store_version){ draft.game.id, INT32_MAX };
	}
	seen[77].id = create_new(&draft);
	struct moved moved = find_moved(seen, ARRAY_LEN(seen));
	assert_int_equal(moved.result, STORE_OK);
	assert_int_equal(moved.games_count, ARRAY_LEN(seen));
	assert_int_equal(version_in(&moved, seen[77].id), 2);
}

/* It looks each of them up, and at no others. */
static void polling_uses_the_index(void **state)
{
	(void)state;
	assert_non_null(strstr(
		sql(owner,
	            "SET enable_seqscan = off; EXPLAIN (FORMAT JSON) SELECT "
	            "seen.game_id, g.version FROM "
	            "unnest(ARRAY[gen_random_uuid()"
	            "], ARRAY[1]) AS seen(game_id, version) LEFT JOIN "
	            "gangd.game AS g ON g.game_id = seen.game_id WHERE "
	            "g.version IS DISTINCT FROM seen.version"),
		"Index"));
}

static void a_missing_database_is_reported(void **state)
{
	struct store_version seen = { .version = 0 };
	struct store *other = open_store("host=/nowhere", 1, 100);
	struct moved moved = { .count = 0 };

	(void)state;
	store_poll_versions(other, &seen, 1, &arena, on_moved, &moved);
	assert_int_equal(moved.count, 0);
	for (int i = 0; i < 50 && !moved.count; i++)
		tick(other, 20);
	assert_int_equal(moved.count, 1);
	assert_int_equal(moved.result, STORE_UNAVAILABLE);
	store_close(other);
}

/* --- loads together ------------------------------------------------------- */

/* A session tells how often it has looked for a game when it ends. */
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
		store_load(other, id, NULL, &arena, on_answer, &answers[i]);
	await(other, answers, CROWD);
	store_close(other);
	while (lookups_count() == before && now_ms() < deadline)
		(void)sql(owner, "SELECT pg_sleep(0.02)");
	assert_in_range(lookups_count() - before, 1, CROWD / 10);
}

/* All get the answer, each in memory of its own. */
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
		store_load(store, id, NULL, &arenas[i], on_answer, &answers[i]);
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
		store_load(store, drafts[i / 3 % 2].game.id, NULL, &arena,
		           on_answer, &answers[i]);
	await(store, answers, ARRAY_LEN(answers));
	for (size_t i = 0; i < ARRAY_LEN(answers); i++)
		assert_memory_equal(answers[i].game.state,
		                    drafts[i / 3 % 2].state,
		                    sizeof(drafts[0].state));
}

/* One that was sent already may be too old. */
static void a_load_sees_the_commits_before_it(void **state)
{
	struct draft draft;
	struct uuid id = create_new(&draft);

	(void)state;
	for (unsigned i = 0; i < 200; i++) {
		struct reply old = { .count = 0 };
		struct reply new = { .count = 0 };

		store_load(store, id, NULL, &arena, on_answer, &old);
		store_flush(store);
		draft_next(&draft, 1);
		assert_int_equal(keep(store, &draft.move).result, STORE_OK);
		store_load(store, id, NULL, &arena, on_answer, &new);
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
		store_load(other, draft.game.id, NULL, &arena, on_answer,
		           &answers[i]);
	await(other, answers, 10);
	await(other, answers, ARRAY_LEN(answers));
	for (size_t i = 0; i < ARRAY_LEN(answers); i++)
		assert_int_equal(answers[i].result, STORE_UNAVAILABLE);
	for (size_t i = 0; i < ARRAY_LEN(answers); i++) {
		answers[i].count = 0;
		store_load(other, draft.game.id, NULL, &arena, on_answer,
		           &answers[i]);
	}
	store_close(other);
	for (size_t i = 0; i < ARRAY_LEN(answers); i++)
		assert_int_equal(answers[i].count, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_A_STORE(loads_of_a_game_share_a_statement),
		ON_A_STORE(polling_skips_unchanged_games),
		ON_A_STORE(polling_reports_changed_games_with_their_versions),
		ON_A_STORE(a_new_replica_hears_of_all_games),
		ON_A_STORE(polling_reports_deleted_games),
		ON_A_STORE(polling_reports_thousands_of_games),
		ON_A_STORE(polling_uses_the_index),
		ON_A_STORE(a_missing_database_is_reported),
		ON_A_STORE(loads_of_a_game_share_an_answer),
		ON_A_STORE(loads_of_different_games_do_not_share),
		ON_A_STORE(a_load_sees_the_commits_before_it),
		ON_A_STORE(all_callbacks_run_when_no_answer_comes),
	};

	return cmocka_run_group_tests_name("moved", tests, open_all, close_all);
}
