/*
 * test_lending.c - two stores of one pool: a statement that waits at one of
 * them is carried by the other, or by its owner, and its caller gets one
 * answer, from its own store, whatever becomes of the one that carries it.
 *
 * Eight statements that wait are enough to be sent.  So "store" lends what it
 * has, and "other" sends it when it has so many more.
 */
#include "drafts.h"

#include <pthread.h>

#include "store/gather_pool.h"
#include "store/handle.h"

enum {
	LENT = 2,
	BORROWED_BY = GAMES, /* games that "other" moves by itself */
	ALL = LENT + BORROWED_BY,
	FIRST = ALL, /* a game whose move is the last one sent */
};

static struct gather_pool *pool;
static struct store *other;

static int open_pair(void **state)
{
	pool = gather_pool_open();
	config.pool = pool;
	(void)open_one(state);
	other = store_open(&config);
	await_ready(other);
	return 0;
}

static int close_pair(void **state)
{
	store_close(other);
	(void)close_one(state);
	gather_pool_close(pool);
	config.pool = NULL;
	return 0;
}

static void run_both(void)
{
	tick(store, 1);
	tick(other, 1);
}

static void await_both(const struct reply *replies, size_t count)
{
	uint64_t deadline = now_ms() + PATIENCE_MS;

	for (size_t there = 0; there < count; there += replies[there].count) {
		assert_true(replies[there].count <= 1);
		assert_true(now_ms() < deadline);
		if (replies[there].count == 0)
			run_both();
	}
}

/* The moves of these games are queued, and not sent. */
static void queue_moves(struct store *at, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		store_commit_move(at, &drafts[i].move, on_answer, &answers[i]);
}

/* A store looks at lent statements soon, at others when their deadline ends. */
static bool has_lent(void)
{
	return store_timeout_ns(store) < 100ULL * MS;
}

/*
 * A move is sent at once.  What "store" queues within 3 ms after it waits, and
 * is lent.  It is sent if this process was stopped meanwhile.
 */
static void lend_moves(void)
{
	for (unsigned tries = 0; tries < 20; tries++) {
		create_games(FIRST + 1);
		queue_moves(store, FIRST, FIRST + 1);
		store_flush(store);
		queue_moves(store, 0, LENT);
		store_flush(store);
		if (has_lent())
			return;
		await(store, answers, LENT);
		await(store, answers + FIRST, 1);
	}
	fail_msg("no move is lent");
}

/* As a statement of its own each was committed at another time. */
static void assert_one_commit(size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		assert_int_equal(answers[i].count, 1);
		assert_int_equal(answers[i].result, STORE_OK);
		assert_true(answers[i].at_us == answers[from].at_us);
		assert_committed(&drafts[i]);
	}
}

static void moves_are_carried_by_the_one_that_sends(void **state)
{
	(void)state;
	lend_moves();
	queue_moves(other, LENT, ALL);
	store_flush(other);
	await_both(answers, FIRST + 1);
	assert_one_commit(0, ALL);
	assert_true(answers[FIRST].at_us != answers[0].at_us);
}

/* The other one only runs; nobody else sends a move. */
static void moves_that_nobody_borrows_are_sent_by_their_owner(void **state)
{
	(void)state;
	lend_moves();
	store_run(other);
	store_flush(other);
	await(store, answers, LENT);
	assert_one_commit(0, LENT);
}

static void a_statement_is_answered_in_its_own_store(void **state)
{
	(void)state;
	lend_moves();
	queue_moves(other, LENT, ALL);
	store_flush(other);
	assert_true(store_has_borrowed(other));
	await(other, answers + LENT, BORROWED_BY);
	assert_false(store_has_borrowed(other));
	for (size_t i = 0; i < LENT; i++)
		assert_int_equal(answers[i].count, 0);
	store_run(store);
	assert_one_commit(0, ALL);
}

/* Loads of a game share a row, of whatever store they are. */
static void loads_are_carried_too(void **state)
{
	static const size_t games[] = { 1, 1, 2, 3, 4, 5, 6, 7,
		                        0, 1, 2, 3, 4, 5, 6, 7 };
	struct reply loads[2 * GAMES] = { { .count = 0 } };
	struct arena arenas[2 * GAMES];

	(void)state;
	create_games(GAMES);
	for (size_t i = 0; i < 2 * GAMES; i++)
		arena_init(&arenas[i]);
	(void)load(store, drafts[0].game.id, &arena);
	for (size_t i = 0; i < 2 * GAMES; i++)
		queue_load(i < 3 ? store : other, drafts[games[i]].game.id,
		           NULL, &arenas[i], &loads[i]);
	store_flush(store);
	await_both(loads, 2 * GAMES);
	for (size_t i = 0; i < 2 * GAMES; i++) {
		const struct store_game *should = &drafts[games[i]].game;
		const struct store_game *is = &loads[i].game;

		assert_int_equal(loads[i].result, STORE_OK);
		assert_memory_equal(&is->id, &should->id, sizeof(is->id));
		assert_int_equal(is->state_len, should->state_len);
		assert_memory_equal(is->state, should->state, is->state_len);
		arena_fini(&arenas[i]);
	}
}

static void queue_urgent(struct store *at, struct uuid id, struct reply *reply)
{
	struct store_load load = { .id = id, .is_urgent = true };

	store_load(at, &load, &arena, on_answer, reply);
}

/* Nor do others that are queued with it, or share its answer. */
static void an_urgent_load_does_not_wait(void **state)
{
	struct reply loads[4] = { { .count = 0 } };

	(void)state;
	create_games(2);
	for (unsigned tries = 0; !has_lent(); tries++) {
		assert_true(tries < 20);
		/* It must not wait: after a wait in vain others do not. */
		(void)nanosleep(&(struct timespec){ .tv_nsec = 5 * MS }, NULL);
		(void)load(store, drafts[0].game.id, &arena);
		queue_load(store, drafts[1].game.id, NULL, &arena, &loads[0]);
		queue_load(store, drafts[0].game.id, NULL, &arena, &loads[1]);
		store_flush(store);
		if (has_lent())
			break;
		await(store, loads, 2);
		memset(loads, 0, sizeof(loads));
	}
	queue_load(store, drafts[0].game.id, NULL, &arena, &loads[2]);
	queue_urgent(store, drafts[0].game.id, &loads[3]);
	store_flush(store);
	assert_false(has_lent());
	await(store, loads, ARRAY_LEN(loads));
}

/*
 * "store" borrows a load of the game that it loads itself, and cannot send it:
 * its only connection has a move.  Then it lends its own one again: false if
 * this process was stopped meanwhile.
 */
static bool lend_after_borrowing(struct reply *loads, struct reply *move)
{
	create_games(3);
	(void)load(other, drafts[0].game.id, &arena);
	/* The store sends the batch with the earliest deadline first. */
	store_commit_move(store, &drafts[0].move, on_answer, move);
	queue_load(other, drafts[1].game.id, NULL, &arena, &loads[0]);
	store_flush(other);
	(void)nanosleep(&(struct timespec){ .tv_nsec = 5 * MS }, NULL);
	queue_load(store, drafts[1].game.id, NULL, &arena, &loads[1]);
	store_flush(store);
	/* Two, after which others wait. */
	queue_urgent(other, drafts[0].game.id, &loads[2]);
	queue_urgent(other, drafts[2].game.id, &loads[3]);
	store_flush(other);
	store_flush(store);
	return has_lent();
}

static void a_borrowed_load_is_not_lent_on(void **state)
{
	struct reply loads[5] = { { .count = 0 } };
	struct reply move = { .count = 0 };

	(void)state;
	for (unsigned tries = 0; !lend_after_borrowing(loads, &move); tries++) {
		assert_true(tries < 20);
		await_both(loads, 4);
		await_both(&move, 1);
		memset(loads, 0, sizeof(loads));
		move.count = 0;
	}
	await(other, &loads[2], 2);
	queue_urgent(other, drafts[0].game.id, &loads[4]);
	store_flush(other);
	await_both(loads, ARRAY_LEN(loads));
	await_both(&move, 1);
	assert_false(store_has_borrowed(store));
	assert_false(store_has_borrowed(other));
}

/* Another transaction has its game: it is asked singly, by "other". */
static void a_borrowed_move_waits_for_a_lock(void **state)
{
	(void)state;
	lend_moves();
	lock_game(&drafts[0]);
	queue_moves(other, LENT, ALL);
	store_flush(other);
	await_both(answers + 1, ALL - 1);
	assert_int_equal(answers[0].count, 0);
	sql(owner, "ROLLBACK");
	await_both(answers, FIRST + 1);
	assert_int_equal(answers[0].result, STORE_OK);
	assert_committed(&drafts[0]);
}

static void a_borrowed_move_can_be_a_conflict(void **state)
{
	(void)state;
	lend_moves();
	sql(owner,
	    "UPDATE gangd.game SET version = version + 1 "
	    "WHERE game_id = '%s'",
	    id_text(drafts[1].game.id));
	queue_moves(other, LENT, ALL);
	store_flush(other);
	await_both(answers, FIRST + 1);
	assert_int_equal(answers[0].result, STORE_OK);
	assert_int_equal(answers[1].result, STORE_CONFLICT);
}

/* It may or may not have been committed. */
static void a_store_that_closes_gives_back_what_it_carries(void **state)
{
	(void)state;
	lend_moves();
	queue_moves(other, LENT, ALL);
	store_flush(other);
	store_close(other);
	for (size_t i = LENT; i < ALL; i++)
		assert_int_equal(answers[i].result, STORE_UNAVAILABLE);
	await(store, answers, LENT);
	for (size_t i = 0; i < LENT; i++) {
		assert_int_equal(answers[i].result, STORE_UNAVAILABLE);
		assert_true(answers[i].was_sent);
	}
	other = store_open(&config);
}

static void *run_other(void *arg)
{
	const struct reply *last = arg;
	uint64_t deadline = now_ms() + PATIENCE_MS;

	while (last->count == 0 && now_ms() < deadline)
		tick(other, 1);
	return NULL;
}

/* The store answers its lent moves before it is closed. */
static void a_store_that_closes_waits_for_what_it_lent(void **state)
{
	pthread_t thread;

	lend_moves();
	queue_moves(other, LENT, ALL);
	store_flush(other);
	assert_int_equal(
		pthread_create(&thread, NULL, run_other, &answers[ALL - 1]), 0);
	store_close(store);
	for (size_t i = 0; i < LENT; i++) {
		assert_int_equal(answers[i].count, 1);
		assert_int_equal(answers[i].result, STORE_OK);
	}
	assert_int_equal(pthread_join(thread, NULL), 0);
	(void)open_one(state);
}

/* A move that nobody has borrowed was not sent. */
static void a_store_that_closes_loses_what_nobody_borrowed(void **state)
{
	lend_moves();
	store_close(store);
	for (size_t i = 0; i < LENT; i++) {
		assert_int_equal(answers[i].result, STORE_UNAVAILABLE);
		assert_false(answers[i].was_sent);
		assert_not_committed(&drafts[i]);
	}
	(void)open_one(state);
}

/* --- two threads ---------------------------------------------------------- */

enum { ROUNDS = 200 };

struct side {
	struct store *store;
	size_t from, to; /* its games */
	struct arena arena;
	bool is_good;
};

/* All moves of a side, and loads of the other side's games. */
static bool play_round(struct side *side)
{
	struct reply moves[GAMES] = { { .count = 0 } };
	struct reply load = { .count = 0 };
	uint64_t deadline = now_ms() + PATIENCE_MS;
	size_t count = side->to - side->from;
	size_t there = 0;

	arena_reset(&side->arena);
	queue_load(side->store, drafts[ALL - 1 - side->from].game.id, NULL,
	           &side->arena, &load);
	for (size_t i = 0; i < count; i++)
		store_commit_move(side->store, &drafts[side->from + i].move,
		                  on_answer, &moves[i]);
	while ((there < count || load.count == 0) && now_ms() < deadline) {
		tick(side->store, 1);
		while (there < count && moves[there].count)
			there++;
	}
	bool is_good = load.result == STORE_OK && load.count == 1;
	for (size_t i = 0; i < count; i++) {
		is_good = is_good && moves[i].count == 1 &&
		          moves[i].result == STORE_OK;
		draft_next(&drafts[side->from + i], 1);
	}
	return is_good;
}

static void *play(void *arg)
{
	struct side *side = arg;

	side->is_good = true;
	for (unsigned i = 0; i < ROUNDS && side->is_good; i++)
		side->is_good = play_round(side);
	/* The other side's last statements may be here. */
	for (unsigned i = 0; i < 50; i++)
		tick(side->store, 1);
	return NULL;
}

static void two_threads_carry_for_each_other(void **state)
{
	struct side sides[2] = { { .store = store, .from = 0, .to = 3 },
		                 { .store = other, .from = 3, .to = 7 } };
	pthread_t threads[2];

	(void)state;
	create_games(ALL);
	for (size_t i = 0; i < 2; i++) {
		arena_init(&sides[i].arena);
		assert_int_equal(
			pthread_create(&threads[i], NULL, play, &sides[i]), 0);
	}
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(pthread_join(threads[i], NULL), 0);
		assert_true(sides[i].is_good);
		arena_fini(&sides[i].arena);
	}
}

#define ON_A_PAIR(test) \
	cmocka_unit_test_setup_teardown(test, open_pair, close_pair)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_A_PAIR(moves_are_carried_by_the_one_that_sends),
		ON_A_PAIR(moves_that_nobody_borrows_are_sent_by_their_owner),
		ON_A_PAIR(a_statement_is_answered_in_its_own_store),
		ON_A_PAIR(loads_are_carried_too),
		ON_A_PAIR(an_urgent_load_does_not_wait),
		ON_A_PAIR(a_borrowed_load_is_not_lent_on),
		ON_A_PAIR(a_borrowed_move_waits_for_a_lock),
		ON_A_PAIR(a_borrowed_move_can_be_a_conflict),
		ON_A_PAIR(a_store_that_closes_gives_back_what_it_carries),
		ON_A_PAIR(a_store_that_closes_waits_for_what_it_lent),
		ON_A_PAIR(a_store_that_closes_loses_what_nobody_borrowed),
		ON_A_PAIR(two_threads_carry_for_each_other),
	};

	config.connections = 1;
	config.deadline_ms = DEADLINE_MS;
	batch_max = 32; /* with less, nothing waits */
	return cmocka_run_group_tests_name("lending", tests, open_all,
	                                   close_all);
}
