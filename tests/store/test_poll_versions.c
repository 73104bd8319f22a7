/*
 * test_poll_versions.c - which games have another version than the one that was
 * seen.
 */
#include "group.h"

static struct reply poll_versions(const struct store_version *seen,
                                  size_t count)
{
	struct reply answer = { .count = 0 };

	store_poll_versions(store, seen, count, &arena, on_answer, &answer);
	await(store, &answer, 1);
	return answer;
}

/* The version of a game among those that have polled; 0 if it has not. */
static uint32_t version_in(const struct reply *polled, struct uuid id)
{
	for (size_t i = 0; i < polled->rows_count; i++) {
		if (memcmp(&polled->versions[i].id, &id, sizeof(id)) == 0)
			return polled->versions[i].version;
	}
	return 0;
}

static void polling_skips_unchanged_games(void **state)
{
	struct draft draft;
	struct store_version seen = { .version = 2 };

	(void)state;
	seen.id = create_new(&draft);
	struct reply polled = poll_versions(&seen, 1);
	assert_int_equal(polled.result, STORE_OK);
	assert_int_equal(polled.rows_count, 0);
}

static void polling_reports_changed_games_with_their_versions(void **state)
{
	struct draft drafts[3];
	struct store_version seen[3];

	(void)state;
	for (int i = 0; i < 3; i++)
		seen[i] = (struct store_version){ create_new(&drafts[i]), 2 };
	draft_next(&drafts[1], 3);
	assert_int_equal(commit_move(store, &drafts[1].move).result, STORE_OK);
	struct reply polled = poll_versions(seen, 3);
	assert_int_equal(polled.result, STORE_OK);
	assert_int_equal(polled.rows_count, 1);
	assert_int_equal(version_in(&polled, seen[1].id), 5);
}

/* A caller that has read nothing yet has seen version 0. */
static void a_new_replica_hears_of_all_games(void **state)
{
	struct draft draft;
	struct store_version seen = { .version = 0 };

	(void)state;
	seen.id = create_new(&draft);
	struct reply polled = poll_versions(&seen, 1);
	assert_int_equal(version_in(&polled, seen.id), 2);
}

static void polling_reports_deleted_games(void **state)
{
	struct draft draft;
	struct store_version seen[2] = { { .version = 2 }, { .version = 7 } };

	(void)state;
	seen[0].id = create_new(&draft);
	draft_new(&draft); /* which was never created */
	seen[1].id = draft.game.id;
	sql(owner, "SELECT gangd.delete_game('%s', 2)", id_text(seen[0].id));
	struct reply polled = poll_versions(seen, 2);
	assert_int_equal(polled.rows_count, 2);
	assert_int_equal(version_in(&polled, seen[0].id), UINT32_MAX);
	assert_int_equal(version_in(&polled, seen[1].id), UINT32_MAX);
}

/* As many games as a loop polls at once, with the largest version. */
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
	struct reply polled = poll_versions(seen, ARRAY_LEN(seen));
	assert_int_equal(polled.result, STORE_OK);
	assert_int_equal(polled.rows_count, ARRAY_LEN(seen));
	assert_int_equal(version_in(&polled, seen[77].id), 2);
}

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
	struct reply polled = { .count = 0 };

	(void)state;
	store_poll_versions(other, &seen, 1, &arena, on_answer, &polled);
	assert_int_equal(polled.count, 0);
	for (int i = 0; i < 50 && !polled.count; i++)
		tick(other, 20);
	assert_int_equal(polled.count, 1);
	assert_int_equal(polled.result, STORE_UNAVAILABLE);
	store_close(other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_A_STORE(polling_skips_unchanged_games),
		ON_A_STORE(polling_reports_changed_games_with_their_versions),
		ON_A_STORE(a_new_replica_hears_of_all_games),
		ON_A_STORE(polling_reports_deleted_games),
		ON_A_STORE(polling_reports_thousands_of_games),
		ON_A_STORE(polling_uses_the_index),
		ON_A_STORE(a_missing_database_is_reported),
	};

	return cmocka_run_group_tests_name("poll_versions", tests, open_all,
	                                   close_all);
}
