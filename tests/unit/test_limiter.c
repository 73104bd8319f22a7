/*
 * test_limiter.c - quotas and caps of an address or a token: how often it may
 * ask, and how many connections it may have at a time.  Rows are in
 * limiter.def.
 */
#include "quota/limiter.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"

enum { THREADS = 4, ANSWER_MAX = 32 };

static const uint64_t ns_per_s = 1000000000;
static const uint8_t ada[16] = { 1 };
static const uint8_t bob[16] = { 2 };

/* --- rows ----------------------------------------------------------------- */

struct asks_row {
	const char *name;
	unsigned quota;
	const char *asks;
	const char *answers;
};

static struct asks_row asks_rows[] = {
#define ASKS(...) { __VA_ARGS__ },
#include "limiter.def"
};

/* Add whole seconds and nanoseconds apart, without the error of a float. */
static uint64_t read_ns(const char *text, char **end)
{
	uint64_t ns = strtoull(text, end, 10) * ns_per_s;
	uint64_t place_ns = ns_per_s / 10;

	if (**end != '.')
		return ns;
	for ((*end)++; **end >= '0' && **end <= '9'; (*end)++) {
		ns += (uint64_t)(**end - '0') * place_ns;
		place_ns /= 10;
	}
	return ns;
}

/* "30" asks at that time; "30+2" is charged for two more. */
static bool ask_at(struct limiter *limiter, const struct quota *quota,
                   const char **at, struct quota_left *left)
{
	char *end;
	uint64_t now_ns = read_ns(*at, &end);
	bool may = true;

	if (*end == '+')
		*left = limiter_charge(limiter, quota, ada, sizeof(ada), now_ns,
		                       (unsigned)strtoul(end + 1, &end, 10));
	else
		may = limiter_take(limiter, quota, ada, sizeof(ada), now_ns,
		                   left);
	*at = end + strspn(end, " ");
	return may;
}

static void check_asks(void **state)
{
	const struct asks_row *row = *state;
	struct quota quota = { "requests", row->quota, QUOTA_MINUTE_S };
	struct limiter *limiter = limiter_open();
	char answers[256] = "";
	size_t len = 0;
	const char *at = row->asks;

	assert_non_null(limiter);
	while (*at) {
		struct quota_left left;
		bool may = ask_at(limiter, &quota, &at, &left);

		assert_true(may || left.requests == 0);
		assert_true(!may || left.next_s == 0);
		len += (size_t)snprintf(answers + len, sizeof(answers) - len,
		                        may ? "%s%u/%u" : "%s-%u/%u",
		                        len ? " " : "",
		                        may ? left.requests : left.full_s,
		                        may ? left.full_s : left.next_s);
	}
	limiter_close(limiter);
	assert_string_equal(answers, row->answers);
}

/* --- apart ---------------------------------------------------------------- */

static bool take(struct limiter *limiter, const char *name, unsigned requests,
                 const uint8_t *who, size_t who_len)
{
	struct quota quota = { name, requests, QUOTA_MINUTE_S };
	struct quota_left left;

	return limiter_take(limiter, &quota, who, who_len, ns_per_s, &left);
}

static void check_apart(void **state)
{
	struct limiter *limiter = limiter_open();
	struct limiter *others = limiter_open();

	(void)state;
	assert_true(take(limiter, "creation", 1, ada, sizeof(ada)));
	assert_false(take(limiter, "creation", 1, ada, sizeof(ada)));
	assert_true(take(limiter, "joining", 1, ada, sizeof(ada)));
	assert_true(take(limiter, "creation", 1, bob, sizeof(bob)));
	assert_true(take(limiter, "creation", 1, ada, sizeof(ada) - 1));
	assert_true(take(others, "creation", 1, ada, sizeof(ada)));
	assert_false(take(limiter, "creation", 1, bob, sizeof(bob)));
	limiter_close(limiter);
	limiter_close(others);
	limiter_close(NULL);
}

/* In about every second run two of a thousand callers share a place. */
static void check_own_places(void **state)
{
	struct limiter *limiter = limiter_open();
	unsigned shared = 0;

	(void)state;
	for (uint32_t i = 0; i < 1000; i++) {
		uint8_t who[16] = { 0 };

		memcpy(who, &i, sizeof(i));
		shared += !take(limiter, "address", 1, who, sizeof(who));
		assert_false(take(limiter, "address", 1, who, sizeof(who)));
	}
	limiter_close(limiter);
	assert_in_range(shared, 0, 20);
}

/*
 * So many callers have used up a quota of a day that most places of its table
 * are taken.
 */
static void check_windows(void **state)
{
	const struct quota day = { "day_changes", 1, QUOTA_DAY_S };
	struct limiter *limiter = limiter_open();
	struct quota_left left;

	(void)state;
	for (uint32_t i = 0; i < 1000000; i++)
		(void)!limiter_take(limiter, &day, (const uint8_t *)&i,
		                    sizeof(i), ns_per_s, &left);
	for (uint8_t i = 0; i < 100; i++)
		assert_true(take(limiter, "game", 300, &i, sizeof(i)));
	limiter_close(limiter);
}

/* --- for any quota, at any time ------------------------------------------- */

/* A generator of its own, so that a failure comes again. */
static uint64_t any(uint64_t *seed, uint64_t below)
{
	*seed = *seed * 6364136223846793005U + 1442695040888963407U;
	return (*seed >> 33) % below;
}

struct somebody {
	struct quota quota;
	struct limiter *limiter;
	uint64_t seed;
	uint64_t now_ns;
	uint64_t passed;
};

static bool ask(struct somebody *who, struct quota_left *left)
{
	bool may = limiter_take(who->limiter, &who->quota, ada, sizeof(ada),
	                        who->now_ns, left);

	assert_true(left->requests < who->quota.requests);
	assert_true(left->full_s <= QUOTA_MINUTE_S);
	assert_int_equal(may, left->next_s == 0);
	who->passed += may;
	return may;
}

/*
 * Ask at any times until refused: then the caller had the quota and what has
 * come back since the beginning, no more.  A caller that waits for the time of
 * Retry-After is not refused.
 */
static void ask_on(struct somebody *who, uint64_t each_ns)
{
	struct quota_left left;

	do {
		if (any(&who->seed, 8) == 0)
			who->now_ns += any(&who->seed, 8 * each_ns);
	} while (ask(who, &left));
	assert_true(who->passed <=
	            who->quota.requests + (who->now_ns - ns_per_s) / each_ns);
	if (any(&who->seed, 2))
		return;
	who->now_ns += left.next_s * ns_per_s;
	assert_true(ask(who, &left));
}

static void check_any(void **state)
{
	static const unsigned quotas[] = { 1, 2, 7, 30, 60, 600, 3000, 30000 };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(quotas); i++) {
		struct somebody who = {
			.quota = { "requests", quotas[i], QUOTA_MINUTE_S },
			.limiter = limiter_open(),
			.seed = 1,
			.now_ns = ns_per_s,
		};

		for (unsigned refused = 0; refused < 1000; refused++)
			ask_on(&who, QUOTA_MINUTE_S * ns_per_s / quotas[i]);
		limiter_close(who.limiter);
	}
}

/* --- many at once --------------------------------------------------------- */

struct race {
	struct limiter *limiter;
	_Atomic unsigned passed;
	_Atomic unsigned inside;
	_Atomic bool was_crowded;
};

static void run_race(struct race *race, void *(*runs)(void *))
{
	pthread_t threads[THREADS];

	race->limiter = limiter_open();
	assert_non_null(race->limiter);
	for (unsigned i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, runs, race),
		                 0);
	for (unsigned i = 0; i < THREADS; i++)
		assert_int_equal(pthread_join(threads[i], NULL), 0);
}

static void *ask_often(void *arg)
{
	struct race *race = arg;

	for (unsigned i = 0; i < 20000; i++)
		race->passed +=
			take(race->limiter, "address", 30000, ada, sizeof(ada));
	return NULL;
}

/* The clock does not move, so that nothing comes back. */
static void check_race(void **state)
{
	static struct race race;

	(void)state;
	run_race(&race, ask_often);
	assert_int_equal(race.passed, 30000);
	limiter_close(race.limiter);
}

static void *come_and_go(void *arg)
{
	struct race *race = arg;

	for (unsigned i = 0; i < 20000; i++) {
		if (!limiter_enter(race->limiter, LIMITER_WAITS, 2, ada,
		                   sizeof(ada)))
			continue;
		if (++race->inside > 2)
			race->was_crowded = true;
		race->passed++;
		race->inside--;
		limiter_leave(race->limiter, LIMITER_WAITS, ada, sizeof(ada));
	}
	return NULL;
}

static void check_crowd(void **state)
{
	static struct race race;

	(void)state;
	run_race(&race, come_and_go);
	assert_false(race.was_crowded);
	assert_true(race.passed > 0);
	/* All connections are closed: there is room for as many again. */
	assert_true(limiter_enter(race.limiter, LIMITER_WAITS, 2, ada,
	                          sizeof(ada)));
	assert_true(limiter_enter(race.limiter, LIMITER_WAITS, 2, ada,
	                          sizeof(ada)));
	assert_false(limiter_enter(race.limiter, LIMITER_WAITS, 2, ada,
	                           sizeof(ada)));
	limiter_close(race.limiter);
}

/* --- connections ---------------------------------------------------------- */

static void check_connections(void **state)
{
	struct limiter *limiter = limiter_open();

	(void)state;
	for (unsigned i = 0; i < 3; i++)
		assert_true(limiter_enter(limiter, LIMITER_WAITS, 3, ada,
		                          sizeof(ada)));
	for (unsigned i = 0; i < 10; i++)
		assert_false(limiter_enter(limiter, LIMITER_WAITS, 3, ada,
		                           sizeof(ada)));
	assert_true(limiter_enter(limiter, LIMITER_WAITS, 3, bob, sizeof(bob)));
	limiter_leave(limiter, LIMITER_WAITS, ada, sizeof(ada));
	assert_true(limiter_enter(limiter, LIMITER_WAITS, 3, ada, sizeof(ada)));
	assert_false(
		limiter_enter(limiter, LIMITER_WAITS, 3, ada, sizeof(ada)));
	limiter_close(limiter);
}

/* So many connections that every counter of theirs has some. */
static void check_kinds(void **state)
{
	struct limiter *limiter = limiter_open();

	(void)state;
	for (uint32_t i = 0; i < 1000000; i++)
		assert_true(limiter_enter(limiter, LIMITER_CONNECTIONS, 0,
		                          (const uint8_t *)&i, sizeof(i)));
	assert_int_equal(limiter_enter(limiter, LIMITER_CREATIONS, 0, ada,
	                               sizeof(ada)),
	                 1);
	assert_int_equal(
		limiter_enter(limiter, LIMITER_WAITS, 1, ada, sizeof(ada)), 1);
	limiter_close(limiter);
}

/* Without a cap connections are still counted, as their ends are. */
static void check_unlimited(void **state)
{
	struct limiter *limiter = limiter_open();

	(void)state;
	for (unsigned i = 0; i < 1000; i++)
		assert_true(limiter_enter(limiter, LIMITER_WAITS, 0, ada,
		                          sizeof(ada)));
	assert_false(
		limiter_enter(limiter, LIMITER_WAITS, 1000, ada, sizeof(ada)));
	for (unsigned i = 0; i < 1000; i++)
		limiter_leave(limiter, LIMITER_WAITS, ada, sizeof(ada));
	assert_true(limiter_enter(limiter, LIMITER_WAITS, 1, ada, sizeof(ada)));
	limiter_close(limiter);
}

int main(void)
{
	static struct rows rows;

	ROWS_ADD(&rows, asks_rows, check_asks);
	rows_add(&rows, "quotas and callers are counted apart", check_apart,
	         NULL);
	rows_add(&rows, "few callers share a place", check_own_places, NULL);
	rows_add(&rows, "a day's quotas use up no minute's", check_windows,
	         NULL);
	rows_add(&rows, "any quota holds at any time", check_any, NULL);
	rows_add(&rows, "many threads keep to a quota", check_race, NULL);
	rows_add(&rows, "many threads keep to a cap", check_crowd, NULL);
	rows_add(&rows, "a cap bounds each caller by itself", check_connections,
	         NULL);
	rows_add(&rows, "connections count against no other cap", check_kinds,
	         NULL);
	rows_add(&rows, "without a cap things are still counted",
	         check_unlimited, NULL);
	return rows_run("limiter", &rows);
}
