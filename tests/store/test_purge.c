/*
 * test_purge.c - games that are deleted leave nothing, and the purge deletes
 * those of their age and no others.
 */
#include "asks.h"
#include "admin/purge.h"

/* Look in every table with a game_id, also in later ones. */
static int count_rows(struct uuid id)
{
	char list[TEXT_MAX];
	int count = 0;
	char *rest = list;

	(void)snprintf(list, sizeof(list), "%s",
	               sql(owner, "SELECT string_agg(table_name, ' ') "
	                          "FROM information_schema.columns WHERE "
	                          "table_schema = 'gangd' "
	                          "AND column_name = 'game_id'"));
	for (char *table = strtok_r(list, " ", &rest); table;
	     table = strtok_r(NULL, " ", &rest))
		count += (int)strtol(sql(owner,
		                         "SELECT count(*) FROM gangd.%s "
		                         "WHERE game_id = '%s'",
		                         table, id_text(id)),
		                     NULL, 10);
	return count;
}

static void a_deleted_game_leaves_nothing(void **state)
{
	struct draft draft;
	struct draft bystander;

	(void)state;
	create_new(&draft);
	create_new(&bystander);
	assert_int_equal(count_rows(draft.game.id), 5);
	assert_int_equal(
		delete_game(draft.game.id, draft.game.version + 1).result,
		STORE_CONFLICT);
	assert_int_equal(load(store, draft.game.id, &arena).result, STORE_OK);
	struct reply deleted = delete_game(draft.game.id, draft.game.version);
	assert_int_equal(deleted.result, STORE_OK);
	assert_true(deleted.at_us > 0);
	assert_int_equal(count_rows(draft.game.id), 0);
	assert_int_equal(count_rows(bystander.game.id), 5);
	assert_int_equal(delete_game(draft.game.id, 1).result, STORE_CONFLICT);
	draft_next(&draft, 1);
	assert_int_equal(commit_move(store, &draft.move).result,
	                 STORE_CONFLICT);
}

/* How many games it deletes, or would. */
static uint64_t purge(struct admin *admin, unsigned days, bool dry_run)
{
	const struct purge_ages ages = { .lobby_days = 7,
		                         .finished_days = days,
		                         .abandoned_days = days,
		                         .notification_days = 90 };
	struct purge_counts counts;

	assert_int_equal(purge_run(admin, &ages, dry_run, &counts),
	                 VERDICT_DONE);
	assert_true(counts.is_alone);
	return counts.games;
}

static void old_games_are_purged(void **state)
{
	struct admin *admin = admin_open(owner_url());
	struct draft old;
	struct draft young;

	(void)state;
	assert_non_null(admin);
	create_new(&old);
	create_new(&young);
	sql(owner,
	    "UPDATE gangd.game SET updated_at = now() - interval '36501 days' "
	    "WHERE game_id = '%s'",
	    id_text(old.game.id));
	assert_int_equal(purge(admin, 36500, true), 1);
	assert_int_equal(count_rows(old.game.id), 5);
	assert_int_equal(purge(admin, 36500, false), 1);
	assert_int_equal(count_rows(old.game.id), 0);
	assert_int_equal(count_rows(young.game.id), 5);
	assert_int_equal(purge(admin, 36500, false), 0);
	admin_close(admin);
}

/* Its creator has forgotten it by then; a week lets a game wait for a date. */
static void games_that_never_start_are_purged_after_a_week(void **state)
{
	struct draft waiting;
	struct draft playing;
	struct draft heard;
	struct admin *admin;

	(void)state;
	delete_all_games();
	create_new(&waiting);
	create_new(&heard);
	create_new(&playing);
	draft_next(&playing, 1);
	playing.game.status = "playing";
	assert_int_equal(commit_move(store, &playing.move).result, STORE_OK);
	admin = admin_open(app_url());
	assert_non_null(admin);

	sql(owner, "UPDATE gangd.game SET updated_at = now() - "
	           "interval '6 days'");
	sql(owner,
	    "UPDATE gangd.seat SET last_seen = now() - interval '6 days'");
	assert_int_equal(purge(admin, 90, false), 0);
	sql(owner, "UPDATE gangd.game SET updated_at = now() - "
	           "interval '8 days'");
	sql(owner,
	    "UPDATE gangd.seat SET last_seen = now() - interval '8 days' "
	    "WHERE game_id <> '%s'",
	    id_text(heard.game.id));
	assert_int_equal(purge(admin, 90, true), 1);
	assert_int_equal(purge(admin, 90, false), 1);
	assert_string_equal(sql(owner, "SELECT count(*) FROM gangd.game"), "2");
	assert_int_equal(load(store, waiting.game.id, &arena).result,
	                 STORE_NONE);
	admin_close(admin);
}

/* Games unchanged for 30 days are deleted if they have reached the age of their
 * kind. */
static void each_kind_of_game_has_its_age(void **state)
{
	static const struct {
		struct purge_ages ages;
		const char *kept;
	} rows[] = {
		{ { 31, 31, 31, 90 }, "lobby over playing won" },
		{ { 31, 29, 31, 90 }, "lobby playing" },
		{ { 29, 31, 31, 90 }, "over playing won" },
		{ { 31, 31, 29, 90 }, "over won" },
		{ { 29, 29, 31, 90 }, "playing" },
	};
	static const char *const statuses[] = { "lobby", "over", "playing",
		                                "won" };
	struct admin *admin = admin_open(app_url());
	struct draft draft;
	struct purge_counts counts;

	(void)state;
	assert_non_null(admin);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		delete_all_games();
		for (size_t j = 0; j < ARRAY_LEN(statuses); j++) {
			draft_new(&draft);
			draft.game.status = statuses[j];
			assert_int_equal(create(store, &draft.move).result,
			                 STORE_OK);
		}
		sql(owner, "UPDATE gangd.game SET updated_at = now() - "
		           "interval '30 days'");
		sql(owner, "UPDATE gangd.seat SET last_seen = now() - "
		           "interval '30 days'");
		assert_int_equal(purge_run(admin, &rows[i].ages, false,
		                           &counts),
		                 VERDICT_DONE);
		assert_string_equal(sql(owner, "SELECT string_agg(status, ' ' "
		                               "ORDER BY status) "
		                               "FROM gangd.game"),
		                    rows[i].kept);
	}
	admin_close(admin);
}

/* Several pages of them, of which one is locked. */
static void a_purge_leaves_a_locked_game(void **state)
{
	enum { GAMES = 250 };
	struct admin *admin = admin_open(app_url());
	struct draft draft;

	(void)state;
	assert_non_null(admin);
	delete_all_games();
	create_new(&draft);
	sql(owner,
	    "INSERT INTO gangd.game (game_id, version, ruleset, rules_version, "
	    "seats_max, seats_count, host, is_public, spectators, status, "
	    "invite_code, state) SELECT gen_random_uuid(), 1, 1, 1, 3, 1, 1, "
	    "false, false, 'won', 'CODE', '' FROM generate_series(1, %u)",
	    GAMES - 1);
	sql(owner, "UPDATE gangd.game SET updated_at = now() - "
	           "interval '91 days'");
	sql(owner, "BEGIN");
	sql(owner, "SELECT 1 FROM gangd.game WHERE game_id = '%s' FOR UPDATE",
	    id_text(draft.game.id));
	assert_int_equal(purge(admin, 90, true), GAMES);
	assert_int_equal(purge(admin, 90, false), GAMES - 1);
	sql(owner, "ROLLBACK");
	assert_int_equal(purge(admin, 90, false), 1);
	admin_close(admin);
}

static void one_purge_works_at_a_time(void **state)
{
	struct admin *admin = admin_open(app_url());
	const struct purge_ages ages = { 90, 90, 90, 90 };
	struct purge_counts counts;
	struct draft draft;

	(void)state;
	assert_non_null(admin);
	delete_all_games();
	create_new(&draft);
	sql(owner, "UPDATE gangd.game SET updated_at = now() - "
	           "interval '91 days'");
	sql(owner, "SELECT pg_advisory_lock(7453010309)");
	assert_int_equal(purge_run(admin, &ages, false, &counts), VERDICT_DONE);
	assert_false(counts.is_alone);
	assert_int_equal(counts.games, 0);
	sql(owner, "SELECT pg_advisory_unlock(7453010309)");
	assert_int_equal(purge(admin, 90, false), 1);
	admin_close(admin);
}

static void old_tickets_are_purged(void **state)
{
	const struct purge_ages ages = { 90, 90, 90, 90 };
	struct purge_counts counts;
	struct draft draft;
	struct admin *admin = admin_open(app_url());

	(void)state;
	assert_non_null(admin);
	create_new(&draft);
	sql(owner,
	    "INSERT INTO gangd.stream_ticket SELECT '%s', "
	    "sha256(n::text::bytea),"
	    " sha256(''), now() - n * interval '20 seconds' "
	    "FROM generate_series(1, 5) AS n",
	    id_text(draft.game.id));
	sql(owner,
	    "INSERT INTO gangd.transfer SELECT '%s', "
	    "sha256(n::text::bytea), sha256(''), '', NULL, "
	    "now() - n * interval '4 minutes' FROM generate_series(1, 5) AS n",
	    id_text(draft.game.id));
	assert_int_equal(purge_run(admin, &ages, false, &counts), VERDICT_DONE);
	assert_int_equal(counts.games, 0);
	assert_int_equal(counts.tickets, 4);
	assert_int_equal(counts.transfers, 3);
	assert_string_equal(sql(owner, "SELECT count(*) FROM "
	                               "gangd.stream_ticket"),
	                    "1");
	admin_close(admin);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_A_STORE(a_deleted_game_leaves_nothing),
		ON_A_STORE(old_games_are_purged),
		ON_A_STORE(games_that_never_start_are_purged_after_a_week),
		ON_A_STORE(each_kind_of_game_has_its_age),
		ON_A_STORE(a_purge_leaves_a_locked_game),
		ON_A_STORE(one_purge_works_at_a_time),
		ON_A_STORE(old_tickets_are_purged),
	};

	return run_both_ways("purge", tests, ARRAY_LEN(tests), 0);
}
