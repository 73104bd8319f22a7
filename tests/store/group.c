/*
 * group.c - opens and closes what a group of tests works with.
 *
 * The owner's connection and the arena live as long as the group; the store is
 * opened anew for each test of ON_A_STORE, so that a test which fails on its
 * way leaves the next one nothing but rows of its own game.
 */
#include "group.h"

struct store_config config = { .connections = 4, .deadline_ms = 5000 };

PGconn *owner; /* may do anything in the schema */

struct store *store;

struct arena arena;

int run_both_ways(const char *name, const struct CMUnitTest *tests,
                  size_t count, unsigned other)
{
	int failed = 0;

	for (int way = 0; way < 2; way++) {
		char group[64];

		(void)snprintf(group, sizeof(group), "%s, GANGD_BATCH=%u", name,
		               batch_max);
		failed += _cmocka_run_group_tests(group, tests, count, open_all,
		                                  close_all);
		batch_max = batch_max > 1 ? other : 32;
	}
	return failed;
}

int open_all(void **state)
{
	(void)state;
	migrate();
	owner = sql_open(owner_url());
	arena_init(&arena);
	return 0;
}

int close_all(void **state)
{
	(void)state;
	const char *wrong =
		sql(owner, "SELECT (SELECT count(*) FROM gangd.game "
	                   "WHERE seats <> gangd.pack_seats(game_id)) || '/' ||"
	                   "(SELECT count(*) FROM (SELECT game_id FROM "
	                   "gangd.event UNION ALL SELECT game_id FROM "
	                   "gangd.idempotency_key UNION ALL SELECT game_id "
	                   "FROM gangd.notification) AS row WHERE game_id "
	                   "NOT IN (SELECT game_id FROM gangd.game))");
	if (strcmp(wrong, "0/0") != 0) {
		/* cmocka does not count what a teardown finds. */
		print_error("copies of seats that differ, and rows without a "
		            "game: %s\n",
		            wrong);
		exit(EXIT_FAILURE);
	}
	arena_fini(&arena);
	PQfinish(owner);
	return 0;
}

int open_one(void **state)
{
	(void)state;
	config.url = app_url();
	config.batch_max = batch_max;
	store = store_open(&config);
	await_ready(store);
	return 0;
}

int close_one(void **state)
{
	(void)state;
	if (PQtransactionStatus(owner) != PQTRANS_IDLE)
		sql(owner, "ROLLBACK"); /* a test failed on its way */
	store_close(store);
	arena_reset(&arena);
	return 0;
}

void delete_all_games(void)
{
	sql(owner, "SELECT gangd.delete_game(game_id, version) FROM "
	           "gangd.game");
}

struct uuid create_new(struct draft *draft)
{
	draft_new(draft);
	assert_int_equal(create(store, &draft->move).result, STORE_OK);
	return draft->game.id;
}

void hash_of(unsigned player, uint8_t hash[STORE_HASH_SIZE])
{
	memset(hash, (int)player, STORE_HASH_SIZE);
}

void create_table(struct draft *draft, unsigned players)
{
	static const char *const names[] = { "a", "b", "c", "d", "e", "f" };

	draft_new(draft);
	draft->move.join.name = names[0];
	draft->move.join.name_key = names[0];
	hash_of(1, draft->hash);
	assert_int_equal(create(store, &draft->move).result, STORE_OK);
	for (unsigned seat = 2; seat <= players; seat++) {
		draft_next(draft, 1);
		draft->game.seats_count = (uint8_t)seat;
		hash_of(seat, draft->hash);
		draft->move.join.seat = (uint8_t)seat;
		draft->move.join.name = names[seat - 1];
		draft->move.join.name_key = names[seat - 1];
		assert_int_equal(commit_move(store, &draft->move).result,
		                 STORE_OK);
	}
	draft_next(draft, 1);
}

struct reply leave(const struct store_move *move)
{
	struct reply answer = { .count = 0 };

	store_commit_move(store, move, on_answer, &answer);
	await(store, &answer, 1);
	return answer;
}

void copy_seats(struct uuid id)
{
	assert_string_equal(
		sql(owner, "SELECT gangd.copy_seats('%s')", id_text(id)), "");
}

const char *all_rows(struct uuid id)
{
	return sql(owner,
	           "WITH the (id) AS (SELECT '%s'::uuid) "
	           "SELECT md5(string_agg(r, '|' ORDER BY r)) FROM ("
	           "SELECT g.xmin || g::text FROM gangd.game g, the "
	           "WHERE game_id = id UNION ALL "
	           "SELECT s.xmin || s::text FROM gangd.seat s, the "
	           "WHERE game_id = id UNION ALL "
	           "SELECT i.xmin || i::text FROM gangd.invitation i, the "
	           "WHERE game_id = id UNION ALL "
	           "SELECT e.xmin || e::text FROM gangd.event e, the "
	           "WHERE game_id = id) AS rows(r)",
	           id_text(id));
}

void save_rows(struct uuid id, char rows[TEXT_MAX])
{
	(void)snprintf(rows, TEXT_MAX, "%s", all_rows(id));
}

void await_waiting(int count)
{
	uint64_t deadline = now_ms() + PATIENCE_MS;

	while (strtol(sql(owner, "SELECT count(*) FROM pg_locks "
	                         "WHERE NOT granted"),
	              NULL, 10) < count) {
		if (now_ms() > deadline)
			fail_msg("nobody waits for the lock");
	}
}
