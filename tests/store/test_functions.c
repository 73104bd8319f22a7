/*
 * test_functions.c - the functions that statements are composed of, each by
 * itself, against a real server.
 */
#include "group.h"

static void a_game_is_locked_at_its_version_only(void **state)
{
	struct draft draft;
	PGconn *other = sql_open(owner_url());
	const char *id;

	(void)state;
	create_table(&draft, 1);
	id = id_text(draft.game.id);
	assert_string_equal(sql(owner, "SELECT gangd.lock_game('%s', 2)", id),
	                    "t");
	assert_string_equal(sql(owner, "SELECT gangd.lock_game('%s', 1)", id),
	                    "f");
	assert_string_equal(sql(owner, "SELECT gangd.lock_game('%s', 3)", id),
	                    "f");
	assert_string_equal(sql(owner,
	                        "SELECT gangd.lock_game(gen_random_uuid(), 2)"),
	                    "f");

	sql(owner, "BEGIN");
	sql(owner, "SELECT gangd.lock_game('%s', 2)", id);
	assert_string_equal(sql(other,
	                        "SELECT 1 FROM gangd.game WHERE "
	                        "game_id = '%s' FOR KEY SHARE NOWAIT",
	                        id),
	                    "55P03");
	sql(owner, "ROLLBACK");
	/* A game at another version is not locked. */
	sql(owner, "BEGIN");
	sql(owner, "SELECT gangd.lock_game('%s', 1)", id);
	assert_string_equal(sql(other,
	                        "SELECT 1 FROM gangd.game WHERE "
	                        "game_id = '%s' FOR UPDATE NOWAIT",
	                        id),
	                    "1");
	sql(owner, "ROLLBACK");
	PQfinish(other);
}

static void leaving_at_another_version_frees_no_seat(void **state)
{
	char before[TEXT_MAX];
	struct draft draft;

	(void)state;
	create_table(&draft, 3);
	save_rows(draft.game.id, before);
	assert_string_equal(sql(owner,
	                        "SELECT gangd.free_seat('%s', %u, 2::smallint,"
	                        " true, 'ABCDEFGH')",
	                        id_text(draft.game.id), draft.game.version),
	                    "f");
	assert_string_equal(all_rows(draft.game.id), before);
	assert_string_equal(sql(owner,
	                        "SELECT gangd.free_seat('%s', %u, 2::smallint,"
	                        " true, NULL)",
	                        id_text(draft.game.id), draft.game.version - 1),
	                    "t");
	assert_string_equal(sql(owner,
	                        "SELECT count(*) FROM gangd.seat "
	                        "WHERE game_id = '%s'",
	                        id_text(draft.game.id)),
	                    "2");
}

static void a_rematch_that_was_not_created_changes_nothing(void **state)
{
	char before[TEXT_MAX];
	struct draft draft;

	(void)state;
	create_table(&draft, 3);
	save_rows(draft.game.id, before);
	assert_string_equal(
		sql(owner,
	            "SELECT gangd.start_rematch('%s', %u, 9::smallint, "
	            "1::smallint, '', '', gen_random_uuid(), "
	            "NULL) IS NULL",
	            id_text(draft.game.id), draft.game.version - 1),
		"t");
	assert_string_equal(all_rows(draft.game.id), before);
}

static const char *claim(unsigned key)
{
	return sql(owner,
	           "SELECT gangd.claim_idempotency_key(decode(repeat('%02x', "
	           "32), 'hex'), "
	           "decode(repeat('ff', 32), 'hex'), gen_random_uuid(), '')",
	           key);
}

static const char *settle(unsigned key, const char *at)
{
	return sql(
		owner,
		"SELECT "
		"coalesce(gangd.settle_idempotency_key(decode(repeat('%02x', "
		"32), 'hex'), %s)::date::text, 'nothing')",
		key, at);
}

static void a_claim_without_a_result_is_released(void **state)
{
	(void)state;
	assert_string_equal(claim(0xa1), "t");
	assert_string_equal(claim(0xa1), "f");
	assert_string_equal(claim(0xa2), "t");
	assert_string_equal(settle(0xa1, "NULL"), "nothing");
	assert_string_equal(settle(0xa2, "'2026-01-31'"), "2026-01-31");
	assert_string_equal(claim(0xa1), "t");
	assert_string_equal(claim(0xa2), "f");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_A_STORE(a_game_is_locked_at_its_version_only),
		ON_A_STORE(leaving_at_another_version_frees_no_seat),
		ON_A_STORE(a_rematch_that_was_not_created_changes_nothing),
		ON_A_STORE(a_claim_without_a_result_is_released),
	};

	return cmocka_run_group_tests_name("functions", tests, open_all,
	                                   close_all);
}
