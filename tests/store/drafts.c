/*
 * Games of which each has its next move ready, and the answers to those moves.
 * They are one set, since a program runs one test at a time.
 */
#include "drafts.h"

static PGconn *app;

struct draft drafts[DRAFTS_MAX];
struct reply answers[DRAFTS_MAX];

int run_on_drafts(const char *name, const struct CMUnitTest *tests,
                  size_t count)
{
	config.connections = 1;
	config.deadline_ms = DEADLINE_MS;
	int failed = run_both_ways(name, tests, count, 1);
	PQfinish(app);
	return failed;
}

PGconn *app_session(void)
{
	if (!app)
		app = sql_open(app_url());
	return app;
}

void create_games(size_t count)
{
	memset(answers, 0, sizeof(answers));
	for (size_t i = 0; i < count; i++) {
		draft_new(&drafts[i]);
		assert_int_equal(create(store, &drafts[i].move).result,
		                 STORE_OK);
		draft_next(&drafts[i], 1);
	}
}

void commit_all(size_t count)
{
	for (size_t i = 0; i < count; i++)
		store_commit_move(store, &drafts[i].move, on_answer,
		                  &answers[i]);
	await(store, answers, count);
}

static const char *version_of(const struct draft *draft)
{
	return sql(owner,
	           "SELECT version || ' ' || (SELECT count(*) FROM gangd.event "
	           "e WHERE e.game_id = g.game_id) FROM gangd.game g "
	           "WHERE game_id = '%s'",
	           id_text(draft->game.id));
}

void assert_committed(const struct draft *draft)
{
	assert_string_equal(version_of(draft), "3 3");
}

void assert_not_committed(const struct draft *draft)
{
	assert_string_equal(version_of(draft), "2 2");
}

void spoil(const struct draft *draft)
{
	sql(owner,
	    "INSERT INTO gangd.event (game_id, version, type, seat, heist, "
	    "color) VALUES ('%s', %u, 1, 1, 1, 1)",
	    id_text(draft->game.id), draft->game.version);
}

void unspoil(const struct draft *draft)
{
	sql(owner,
	    "DELETE FROM gangd.event WHERE game_id = '%s' AND version = %u",
	    id_text(draft->game.id), draft->game.version);
}

void lock_game(const struct draft *draft)
{
	sql(owner, "BEGIN");
	sql(owner, "SELECT 1 FROM gangd.game WHERE game_id = '%s' FOR UPDATE",
	    id_text(draft->game.id));
}

void await_lock(void)
{
	uint64_t deadline = now_ms() + PATIENCE_MS;

	while (strcmp(sql(owner,
	                  "SELECT count(*) FROM pg_locks WHERE NOT granted"),
	              "0") == 0) {
		tick(store, 10);
		if (now_ms() > deadline)
			fail_msg("no statement waits for the lock");
	}
}

void list_backends(char list[TEXT_MAX])
{
	(void)snprintf(list, TEXT_MAX, "%s",
	               sql(app_session(),
	                   "SELECT string_agg(pid::text, ' ' ORDER BY "
	                   "pid) FROM pg_stat_activity "
	                   "WHERE application_name = 'gangd'"));
}
