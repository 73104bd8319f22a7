/*
 * group.h - what a group of tests has open: the owner's connection, and for
 * each test of ON_A_STORE a store and an arena of its own.
 */
#ifndef TESTS_STORE_GROUP_H
#define TESTS_STORE_GROUP_H

#include "fixture.h"

/* A main that wants another store says so here. */
static struct store_config config = { .connections = 4, .deadline_ms = 5000 };

static PGconn *owner; /* may do anything in the schema */
static struct store *store;
static struct arena arena;

static inline int open_all(void **state)
{
	(void)state;
	migrate();
	owner = sql_open(owner_url());
	arena_init(&arena);
	return 0;
}

static inline int close_all(void **state)
{
	(void)state;
	arena_fini(&arena);
	PQfinish(owner);
	return 0;
}

static inline int open_one(void **state)
{
	(void)state;
	config.url = app_url();
	store = store_open(&config);
	await_ready(store);
	return 0;
}

static inline int close_one(void **state)
{
	(void)state;
	if (PQtransactionStatus(owner) != PQTRANS_IDLE)
		sql(owner, "ROLLBACK"); /* a test failed on its way */
	store_close(store);
	arena_reset(&arena);
	return 0;
}

#define ON_A_STORE(test) \
	cmocka_unit_test_setup_teardown(test, open_one, close_one)

static inline struct uuid create_new(struct draft *draft)
{
	draft_new(draft);
	assert_int_equal(create(store, &draft->move).result, STORE_OK);
	return draft->game.id;
}

/* Of the seat as it was taken: it moves up with whoever has it. */
static inline void hash_of(unsigned player, uint8_t hash[STORE_HASH_SIZE])
{
	memset(hash, (int)player, STORE_HASH_SIZE);
}

/* A game of so many, who are called by letters: "a" is at seat 1. */
static inline void create_table(struct draft *draft, unsigned players)
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
		assert_int_equal(keep(store, &draft->move).result, STORE_OK);
	}
	draft_next(draft, 1);
}

static inline struct reply leave(const struct store_move *move)
{
	struct reply answer = { .count = 0 };

	store_leave(store, move, on_answer, &answer);
	await(store, &answer, 1);
	return answer;
}

/* All rows of a game, with the transactions that wrote them. */
static inline const char *all_rows(struct uuid id)
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

static inline void keep_rows(struct uuid id, char rows[TEXT_MAX])
{
	(void)snprintf(rows, TEXT_MAX, "%s", all_rows(id));
}

/* Wait until so many statements of the store wait for somebody's lock. */
static inline void await_waiting(int count)
{
	uint64_t deadline = now_ms() + PATIENCE_MS;

	while (strtol(sql(owner, "SELECT count(*) FROM pg_locks "
	                         "WHERE NOT granted"),
	              NULL, 10) < count) {
		if (now_ms() > deadline)
			fail_msg("nobody waits for the lock");
	}
}

#endif
