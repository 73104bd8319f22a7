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
