/*
 * test_plans.c - what the statements of every request cost the server: each
 * game is one look-up, and a move's update changes no index.
 */
#include "group.h"

#include "postgres/schema.h"

enum { PLAN_MAX = 16384, MANY = 40 };

/*
 * The generic plan of a text, as the store's connections get it, with NULL for
 * each parameter, a row a line.
 */
static const char *plan_of_text(const char *text, unsigned params_count)
{
	static char plan[PLAN_MAX];
	char nulls[TEXT_MAX] = "";
	PGconn *pg = sql_open(app_url());
	size_t len = 0;

	for (unsigned i = 0; i < params_count; i++)
		len += (size_t)snprintf(nulls + len, sizeof(nulls) - len, "%s",
		                        i ? ", NULL" : "NULL");
	len = 0;
	sql(pg, "SET enable_seqscan = off");
	sql(pg, "SET plan_cache_mode = force_generic_plan");
	PQclear(PQprepare(pg, "s", text, 0, NULL));
	(void)snprintf(plan, sizeof(plan),
	               "EXPLAIN (COSTS OFF) EXECUTE s%s%s%s",
	               params_count ? "(" : "", nulls, params_count ? ")" : "");
	PGresult *res = PQexec(pg, plan);
	if (PQresultStatus(res) != PGRES_TUPLES_OK)
		fail_msg("%s", PQresultErrorMessage(res));
	for (int i = 0; i < PQntuples(res); i++)
		len += (size_t)snprintf(plan + len, sizeof(plan) - len, "%s\n",
		                        PQgetvalue(res, i, 0));
	PQclear(res);
	PQfinish(pg);
	return plan;
}

static const char *plan_of(const char *name, unsigned params_count)
{
	return plan_of_text(schema_query_text(name), params_count);
}

/* The plan of a function's one statement, with its parameters as $1 and so on.
 */
static const char *plan_of_function(const char *name, unsigned params_count)
{
	PGresult *res = PQexecParams(
		owner,
		"WITH RECURSIVE step (n, text) AS ("
		"SELECT 0, substring(prosrc FROM 'BEGIN(.*);\\s+RETURN') "
		"FROM pg_proc WHERE proname = $1 UNION ALL "
		"SELECT n + 1, regexp_replace(text, '\\m' || "
		"proargnames[n + 1] || '\\M', '($' || n + 1 || '::' || "
		"format_type(proargtypes[n], NULL) || ')', 'g') "
		"FROM step, pg_proc WHERE proname = $1 AND n < pronargs) "
		"SELECT text FROM step ORDER BY n DESC LIMIT 1",
		1, NULL, &name, NULL, NULL, 0);
	if (PQntuples(res) != 1)
		fail_msg("%s", PQresultErrorMessage(res));
	const char *plan = plan_of_text(PQgetvalue(res, 0, 0), params_count);
	PQclear(res);
	return plan;
}

/* The plan of the query that a statement gives to ask_games(), with 10 for its
 * %s. */
static const char *plan_of_asked(const char *name)
{
	const char *text = schema_query_text(name);
	PGresult *res = PQexecParams(
		owner,
		"SELECT replace(replace(substring($1 FROM '\\$query\\$(.*)"
		"\\$query\\$'), '@game', 'gangd.game'), '%s', '10')",
		1, NULL, &text, NULL, NULL, 0);
	if (PQntuples(res) != 1)
		fail_msg("%s", PQresultErrorMessage(res));
	const char *plan = plan_of_text(PQgetvalue(res, 0, 0), 0);
	PQclear(res);
	return plan;
}

/* Up to 16, PostgreSQL says where the value of the plan within goes. */
#define LOOK_UP_OF_A_KEY(returns)                                              \
	"Index Scan using game_pkey on game g\n"                               \
	"  Index Cond: (game_id = $1)\n"                                       \
	"  InitPlan 1" returns "\n"                                            \
	"    ->  Index Scan using idempotency_key_pkey on idempotency_key k\n" \
	"          Index Cond: ((game_id = $1) AND (key_hash = $3))\n"

static void a_load_is_one_look_up(void **state)
{
	const char *plan = plan_of("load", 3);

	(void)state;
	if (strcmp(plan, LOOK_UP_OF_A_KEY(" (returns $0)")) != 0)
		assert_string_equal(plan, LOOK_UP_OF_A_KEY(""));
}

static void a_load_of_a_spread_table_is_one_look_up(void **state)
{
	(void)state;
	assert_string_equal(plan_of("load_spread", 2),
	                    "Index Scan using game_pkey on game g\n"
	                    "  Index Cond: (game_id = $1)\n");
}

/* However small the tables are: such a plan stays when they have grown. */
static void loads_of_many_games_are_look_ups(void **state)
{
	static const char look_up[] =
		"Nested Loop\n"
		"  ->  Function Scan on wanted\n"
		"  ->  Limit\n"
		"        ->  Index Scan using game_pkey on game\n"
		"              Index Cond: (game_id = wanted.game_id)\n"
		"  SubPlan 1\n";
	const char *plan = plan_of("load_many", 3);

	(void)state;
	/* The subplan looks up stale seats, by one index or another. */
	if (strncmp(plan, look_up, strlen(look_up)) != 0 ||
	    !strstr(plan, "Index Cond: (game_id = game.game_id)") ||
	    strstr(plan, "Seq Scan"))
		fail_msg("the plan is\n%s", plan);
}

/* Not by the join, for which each server of several would send its games. */
static void polled_games_are_found_by_their_ids(void **state)
{
	const char *plan = plan_of("poll_versions", 2);

	(void)state;
	if (!strstr(plan, "Index Cond: (game_id = ANY ($1))") ||
	    strstr(plan, "Seq Scan") || strstr(plan, "Nested Loop"))
		fail_msg("the plan is\n%s", plan);
}

/*
 * A plan that knows no parameter serves every call; but one of tables that are
 * spread over servers has to know the game, which says where to go.  A trigger
 * notes what the store's session has.
 */
static void a_session_plans_once_unless_tables_are_spread(void **state)
{
	struct draft draft;

	(void)state;
	sql(owner, "CREATE TABLE public.noted (mode text)");
	sql(owner, "CREATE FUNCTION public.note() RETURNS trigger "
	           "LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN INSERT INTO "
	           "public.noted SELECT current_setting('plan_cache_mode'); "
	           "RETURN NULL; END $$");
	sql(owner, "CREATE TRIGGER note AFTER INSERT ON gangd.game "
	           "EXECUTE FUNCTION public.note()");
	create_new(&draft);
	assert_string_equal(sql(owner, "SELECT mode FROM public.noted"),
	                    batch_max > 0 ? "force_generic_plan"
	                                  : "force_custom_plan");
	sql(owner, "DROP FUNCTION public.note() CASCADE");
	sql(owner, "DROP TABLE public.noted");
}

static void keys_of_many_games_are_look_ups(void **state)
{
	const char *plan = plan_of("load_many", 3);

	(void)state;
	if (!strstr(plan, "Index Scan using game_pkey on game\n") ||
	    !strstr(plan, "Index Scan using idempotency_key_pkey on "
	                  "idempotency_key k\n") ||
	    strstr(plan, "Seq Scan") || strstr(plan, "Sort") ||
	    strstr(plan, "Hash") || strstr(plan, "Merge"))
		fail_msg("the plan is\n%s", plan);
}

static bool is_look_up(const char *plan)
{
	return !strstr(plan, "Seq Scan") && !strstr(plan, "Sort") &&
	       !strstr(plan, "Hash") && !strstr(plan, "Merge");
}

static void gathered_moves_are_look_ups(void **state)
{
	const char *plan = plan_of("commit_moves", 25);

	(void)state;
	if (!is_look_up(plan) ||
	    !strstr(plan, "Index Scan using game_pkey on game\n") ||
	    !strstr(plan, "Tid Scan on game g"))
		fail_msg("the plan is\n%s", plan);
	plan = plan_of_function("notify_games", 10);
	if (!is_look_up(plan) ||
	    !strstr(plan, "Index Scan using notification_pkey on "
	                  "notification notification_1\n") ||
	    !strstr(plan, "Index Scan using notification_pkey on "
	                  "notification n_1\n") ||
	    !strstr(plan, "using push_subscription_pkey on "
	                  "push_subscription p\n"))
		fail_msg("the plan is\n%s", plan);
}

/*
 * However many other games there are: a walk through all games in the order of
 * their ids would take longer than a statement may.
 */
static void games_of_bots_are_found_by_their_index(void **state)
{
	static const struct {
		const char *name;
		bool updates; /* what it found, by the primary key */
		bool asks;    /* by ask_games() */
	} each[] = {
		{ "take_bots", .updates = true },
		{ "find_due_bots", .asks = true },
		{ "find_bot_limit" },
		{ "find_bot_limit_spread", .asks = true },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(each); i++) {
		const char *plan = each[i].asks ? plan_of_asked(each[i].name)
		                                : plan_of(each[i].name, 1);

		if (!strstr(plan, "game_bot_due") ||
		    (!each[i].updates && strstr(plan, "game_pkey")))
			fail_msg("the plan of %s is\n%s", each[i].name, plan);
	}
}

/* Those of each target by an index, past no notification of the other one. */
static void due_notifications_are_found_by_their_indexes(void **state)
{
	static const struct {
		const char *name;
		unsigned params_count;
		const char *index; /* of those for Web Push */
	} each[] = {
		{ "take_notifications", 8, "using notification_due_service" },
		{ "find_due_notifications", 6, "using notification_due_push" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(each); i++) {
		const char *plan = plan_of(each[i].name, each[i].params_count);

		if (!strstr(plan, each[i].index) ||
		    !strstr(plan, "using notification_due_webhook") ||
		    strstr(plan, "Join Filter") || strstr(plan, "Hash Join") ||
		    strstr(plan, "Seq Scan"))
			fail_msg("the plan of %s is\n%s", each[i].name, plan);
	}
}

/* --- updates -------------------------------------------------------------- */

/* The updates of games, and those of them that changed no index. */
static void count_updates(unsigned long counts[2])
{
	static const char *const columns[] = { "n_tup_upd", "n_tup_hot_upd" };

	sql(owner, "SELECT pg_stat_clear_snapshot()");
	for (size_t i = 0; i < ARRAY_LEN(columns); i++)
		counts[i] = strtoul(sql(owner,
		                        "SELECT %s FROM pg_stat_all_tables "
		                        "WHERE relid = 'gangd.game'::regclass",
		                        columns[i]),
		                    NULL, 10);
}

/* Close the store, and count when its sessions have reported their last
 * updates. */
static void end_sessions(unsigned long counts[2])
{
	uint64_t deadline = now_ms() + PATIENCE_MS;

	store_close(store);
	store = NULL;
	while (strcmp(sql(owner, "SELECT count(*) FROM pg_stat_activity "
	                         "WHERE usename = 'gangd_app'"),
	              "0") != 0)
		assert_true(now_ms() < deadline);
	count_updates(counts);
}

enum { GAMES = 400, APART = 50, EACH_TICK = GAMES / APART };

/* Make "times" moves in each game; the games of one tick lie far apart. */
static void move_all(struct draft *drafts, unsigned times)
{
	for (unsigned tick = 0; tick < times * APART; tick++) {
		struct reply answers[EACH_TICK] = { { .count = 0 } };

		for (size_t i = 0; i < EACH_TICK; i++)
			store_commit_move(
				store, &drafts[tick % APART + i * APART].move,
				on_answer, &answers[i]);
		await(store, answers, EACH_TICK);
		for (size_t i = 0; i < EACH_TICK; i++) {
			assert_int_equal(answers[i].result, STORE_OK);
			draft_next(&drafts[tick % APART + i * APART], 1);
		}
	}
}

/*
 * No index covers a column that a move changes, and a page has room for the new
 * rows of some of its games.  Two rows of a page that change at once do not
 * always find it; so the games of one tick lie far apart here, as they do in a
 * table of a busy service.  Nor do rows that grow, as with their first keys:
 * such a row moves to another page once, which is not counted.  A vacuum that
 * runs meanwhile keeps some dead rows, and their room, for a moment.
 */
static void moves_are_heap_only_updates(void **state)
{
	enum { TIMES = 5, LEAST = 95 /* percent */ };
	static struct draft drafts[GAMES];
	static uint8_t large[400];
	static uint8_t keys[1 + 4 * 8 * 13]; /* eight of each of four seats */
	unsigned long before[2];
	unsigned long after[2];

	(void)state;
	for (size_t i = 0; i < GAMES; i++) {
		draft_new(&drafts[i]);
		drafts[i].game.state = large;
		drafts[i].game.state_len = sizeof(large);
		assert_int_equal(create(store, &drafts[i].move).result,
		                 STORE_OK);
		draft_next(&drafts[i], 1);
		drafts[i].game.recent_keys = keys;
		drafts[i].game.recent_keys_len = sizeof(keys);
		drafts[i].move.has_recent_key = true;
	}
	move_all(drafts, 1);
	end_sessions(before);
	store = store_open(&config);
	await_ready(store);
	move_all(drafts, TIMES);
	end_sessions(after);
	unsigned long updates = after[0] - before[0];
	assert_int_equal(updates, TIMES * GAMES);
	assert_in_range(100 * (after[1] - before[1]), LEAST * updates,
	                100 * updates);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_A_STORE(a_load_is_one_look_up),
		ON_A_STORE(a_load_of_a_spread_table_is_one_look_up),
		ON_A_STORE(loads_of_many_games_are_look_ups),
		ON_A_STORE(polled_games_are_found_by_their_ids),
		ON_A_STORE(a_session_plans_once_unless_tables_are_spread),
		ON_A_STORE(keys_of_many_games_are_look_ups),
		ON_A_STORE(gathered_moves_are_look_ups),
		ON_A_STORE(games_of_bots_are_found_by_their_index),
		ON_A_STORE(due_notifications_are_found_by_their_indexes),
		ON_A_STORE(moves_are_heap_only_updates),
	};

	return run_both_ways("plans", tests, ARRAY_LEN(tests), 0);
}
