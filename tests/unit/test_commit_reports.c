/*
 * test_commit_reports.c - when reports are exchanged, what they have, and when
 * they are complete.  The test is the database: it has store_exchange_reports()
 * of its own, and answers when it wants to.
 */
#include "loop/commit_reports.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/clock.h"
#include "live/subscriptions.h"

enum { FOUND_MAX = 8 };

static const struct uuid game = { { 1 } };
static const struct uuid neighbor = { { 2 } };

/* --- the clock and the database ------------------------------------------- */

static uint64_t now_ns = CLOCK_NS_PER_S;

/* NOLINTBEGIN(bugprone-reserved-identifier): the linker's name */
uint64_t __wrap_clock_monotonic_ns(void);

uint64_t __wrap_clock_monotonic_ns(void)
{
	return now_ns;
}
/* NOLINTEND(bugprone-reserved-identifier) */

static void pass_ms(uint64_t ms)
{
	now_ns += ms * CLOCK_NS_PER_MS;
}

static struct {
	unsigned count; /* of exchanges so far */
	struct store_exchange last;
	struct store_version games[STORE_REPORT_MAX];
	store_fn done;
	void *arg;
} asked;

void store_exchange_reports(struct store *store,
                            const struct store_exchange *exchange,
                            struct arena *arena, store_fn done, void *arg)
{
	(void)store;
	(void)arena;
	asked.count++;
	asked.last = *exchange;
	if (exchange->games_count > 0)
		memcpy(asked.games, exchange->games,
		       exchange->games_count * sizeof(*asked.games));
	asked.done = done;
	asked.arg = arg;
}

static void answer(enum store_result result, struct store_report *reports,
                   size_t count)
{
	struct store_answer given = { .result = result, .count = count };

	given.items = reports;
	asked.done(asked.arg, &given);
}

/* --- a process ------------------------------------------------------------ */

static struct store_version found[FOUND_MAX];
static size_t found_count;

static void on_found(void *arg, struct store_version version)
{
	(void)arg;
	assert_true(found_count < FOUND_MAX);
	found[found_count++] = version;
}

static unsigned sooner_count;

static void on_sooner(void *arg)
{
	(void)arg;
	sooner_count++;
}

static int set_up_quiet(void **state)
{
	memset(&asked, 0, sizeof(asked));
	found_count = 0;
	sooner_count = 0;
	*state = commit_reports_open(on_found, on_sooner, NULL);
	return *state ? 0 : -1;
}

static int set_up(void **state)
{
	if (set_up_quiet(state))
		return -1;
	commit_reports_set_waiting(*state, true);
	return 0;
}

static int tear_down(void **state)
{
	commit_reports_close(*state);
	return 0;
}

/* Exchange once, with this answer; it must be due. */
static void exchange(struct commit_reports *reports, enum store_result result,
                     struct store_report *of_others, size_t count)
{
	unsigned before = asked.count;

	assert_true(commit_reports_due_ns(reports) <= now_ns);
	commit_reports_run(reports, NULL);
	assert_int_equal(asked.count, before + 1);
	assert_true(commit_reports_due_ns(reports) == UINT64_MAX);
	commit_reports_run(reports, NULL);
	assert_int_equal(asked.count, before + 1);
	answer(result, of_others, count);
}

static void be_alone(struct commit_reports *reports)
{
	exchange(reports, STORE_OK, NULL, 0);
}

/* Another process says in a report that it runs. */
static void meet(struct commit_reports *reports, uint32_t number)
{
	struct store_report says = { .process = neighbor, .number = number };

	exchange(reports, STORE_OK, &says, 1);
}

static void note(struct commit_reports *reports, uint32_t version)
{
	commit_reports_note(reports, (struct store_version){ game, version });
}

static uint64_t due_in_ms(const struct commit_reports *reports)
{
	return (commit_reports_due_ns(reports) - now_ns) / CLOCK_NS_PER_MS;
}

/* --- tests ---------------------------------------------------------------- */

static void a_process_alone_reports_only_that_it_runs(void **state)
{
	struct commit_reports *reports = *state;

	for (uint32_t number = 1; number < 5; number++) {
		note(reports, number);
		be_alone(reports);
		assert_int_equal(asked.last.number, number);
		assert_int_equal(asked.last.games_count, 0);
		assert_true(asked.last.forgets);
		assert_int_equal(due_in_ms(reports), 2000);
		commit_reports_run(reports, NULL);
		assert_int_equal(asked.count, number);
		pass_ms(2000);
	}
}

static void with_others_changes_are_reported_at_once(void **state)
{
	struct commit_reports *reports = *state;

	meet(reports, 3);
	assert_int_equal(due_in_ms(reports), 50);
	note(reports, 7);
	commit_reports_note(reports, (struct store_version){
					     neighbor, SUBSCRIPTIONS_DELETED });
	pass_ms(50);
	meet(reports, 4);
	assert_int_equal(asked.last.number, 2);
	assert_int_equal(asked.last.games_count, 2);
	assert_memory_equal(&asked.games[0].id, &game, sizeof(game));
	assert_int_equal(asked.games[0].version, 7);
	assert_int_equal(asked.games[1].version, STORE_REPORT_GONE);
	assert_int_equal(asked.last.seen_count, 1);
	assert_memory_equal(&asked.last.seen[0].process, &neighbor,
	                    sizeof(neighbor));
	/* Nothing is left to report: it only reads. */
	pass_ms(50);
	be_alone(reports);
	assert_int_equal(asked.last.number, 0);
	assert_int_equal(asked.last.games_count, 0);
	assert_false(asked.last.forgets);
}

/* Nobody waits: others are read every two seconds, changes written at once. */
static void without_waiters_there_is_little_exchange(void **state)
{
	struct commit_reports *reports = *state;

	for (uint32_t number = 1; number < 9; number++) {
		meet(reports, number);
		assert_int_equal(due_in_ms(reports), 2000);
		pass_ms(2000);
	}
	assert_true(commit_reports_are_complete(reports));
	meet(reports, 9);
	pass_ms(20);
	note(reports, 7);
	note(reports, 8);
	assert_int_equal(sooner_count, 1);
	assert_int_equal(due_in_ms(reports), 30);
	pass_ms(30);
	exchange(reports, STORE_UNAVAILABLE, NULL, 0);
	assert_int_equal(asked.last.games_count, 2);
	assert_int_equal(due_in_ms(reports), 50);
	pass_ms(50);
	meet(reports, 10);
	assert_int_equal(asked.last.games_count, 2);
	assert_int_equal(due_in_ms(reports), 2000);
	note(reports, 9);
	assert_int_equal(sooner_count, 2);
}

static void with_a_waiter_others_are_read_soon(void **state)
{
	struct commit_reports *reports = *state;

	meet(reports, 1);
	pass_ms(1000);
	commit_reports_set_waiting(reports, true);
	assert_int_equal(sooner_count, 1);
	meet(reports, 2);
	assert_int_equal(due_in_ms(reports), 50);
	/* Another loop has one, and then the first one has none. */
	commit_reports_set_waiting(reports, true);
	commit_reports_set_waiting(reports, false);
	assert_int_equal(sooner_count, 1);
	pass_ms(50);
	meet(reports, 3);
	assert_int_equal(due_in_ms(reports), 50);
	commit_reports_set_waiting(reports, false);
	assert_int_equal(due_in_ms(reports), 2000);
	commit_reports_set_waiting(NULL, true);
}

static void what_others_report_is_found_once(void **state)
{
	struct commit_reports *reports = *state;
	struct store_report theirs[] = {
		{ neighbor, 5, { game, 8 } },
		{ neighbor, 6, { game, STORE_REPORT_GONE } },
		{ neighbor, 4, { neighbor, 3 } },
	};

	exchange(reports, STORE_OK, theirs, 3);
	assert_int_equal(found_count, 3);
	assert_memory_equal(&found[0].id, &game, sizeof(game));
	assert_int_equal(found[0].version, 8);
	assert_true(found[1].version == SUBSCRIPTIONS_DELETED);
	assert_int_equal(found[2].version, 3);
	pass_ms(50);
	commit_reports_run(reports, NULL);
	assert_int_equal(asked.last.seen_count, 1);
	assert_int_equal(asked.last.seen[0].number, 6);
	answer(STORE_OK, NULL, 0);
}

/* The report may have been written: nobody reads its number again. */
static void a_lost_report_is_repeated_with_another_number(void **state)
{
	struct commit_reports *reports = *state;

	meet(reports, 1);
	note(reports, 7);
	pass_ms(50);
	exchange(reports, STORE_UNAVAILABLE, NULL, 0);
	assert_int_equal(asked.last.number, 2);
	note(reports, 8);
	pass_ms(50);
	exchange(reports, STORE_OK, NULL, 0);
	assert_int_equal(asked.last.number, 3);
	assert_int_equal(asked.last.games_count, 2);
	assert_int_equal(asked.games[0].version, 7);
	assert_int_equal(asked.games[1].version, 8);
	pass_ms(50);
	be_alone(reports);
	assert_int_equal(asked.last.games_count, 0);
}

static bool says_not_all(void)
{
	return uuid_is_none(asked.games[0].id) && asked.games[0].version == 1;
}

/* Too many changes are left to the poll of others, who are told so. */
static void a_report_says_that_there_is_more(void **state)
{
	struct commit_reports *reports = *state;

	meet(reports, 1);
	for (uint32_t i = 1; i <= STORE_REPORT_MAX; i++)
		note(reports, i);
	pass_ms(50);
	exchange(reports, STORE_UNAVAILABLE, NULL, 0);
	assert_int_equal(asked.last.games_count, STORE_REPORT_MAX);
	assert_false(says_not_all());
	note(reports, 1);
	pass_ms(50);
	exchange(reports, STORE_OK, NULL, 0);
	assert_int_equal(asked.last.games_count, STORE_REPORT_MAX);
	assert_true(says_not_all());
	for (uint32_t i = 1; i <= STORE_REPORT_MAX + 1; i++)
		note(reports, i);
	pass_ms(50);
	exchange(reports, STORE_OK, NULL, 0);
	assert_true(says_not_all());
}

/* Run alone for a time; the others know this process after five seconds. */
static void let_others_learn(struct commit_reports *reports, unsigned seconds)
{
	for (unsigned second = 0; second < seconds; second += 2) {
		assert_int_equal(commit_reports_are_complete(reports),
		                 second > 5);
		be_alone(reports);
		pass_ms(2000);
	}
	assert_true(commit_reports_are_complete(reports));
}

/* The poll looks for changes in doubt, and for those that others left out. */
static void doubt_ends_completeness_for_a_time(void **state)
{
	struct commit_reports *reports = *state;
	struct store_report more = { neighbor, 1, { .version = 1 } };

	let_others_learn(reports, 8);
	commit_reports_doubt(reports);
	assert_false(commit_reports_are_complete(reports));
	let_others_learn(reports, 8);
	exchange(reports, STORE_OK, &more, 1);
	assert_int_equal(found_count, 0);
	assert_false(commit_reports_are_complete(reports));
	commit_reports_doubt(NULL);
}

static void others_are_remembered_for_eight_seconds(void **state)
{
	struct commit_reports *reports = *state;
	unsigned exchanges = 0;

	meet(reports, 1);
	for (pass_ms(50); due_in_ms(reports) < 2000; exchanges++) {
		note(reports, 2);
		be_alone(reports);
		pass_ms(due_in_ms(reports) < 2000 ? 50 : 0);
	}
	assert_in_range(exchanges, 8000 / 50, 8000 / 50 + 1);
	/* Without an answer they are not forgotten. */
	pass_ms(2000);
	meet(reports, 2);
	pass_ms(50);
	for (unsigned i = 0; i < 300; i++) {
		exchange(reports, STORE_UNAVAILABLE, NULL, 0);
		pass_ms(50);
	}
	note(reports, 3);
	be_alone(reports);
	assert_int_equal(asked.last.games_count, 1);
}

/* Others learn of a process by its heartbeats, and forget it without them. */
static void reports_are_complete_while_others_know_this_one(void **state)
{
	struct commit_reports *reports = *state;

	assert_false(commit_reports_are_complete(reports));
	let_others_learn(reports, 20);
	pass_ms(2999);
	assert_true(commit_reports_are_complete(reports));
	pass_ms(1);
	assert_false(commit_reports_are_complete(reports));
	/* It was stopped for a time, or had no database. */
	exchange(reports, STORE_UNAVAILABLE, NULL, 0);
	pass_ms(2000);
	let_others_learn(reports, 10);
}

/* Another process ends, or hangs: the poll looks for what it has not said. */
static void a_silent_process_is_not_relied_on(void **state)
{
	struct commit_reports *reports = *state;
	uint32_t number = 1;

	for (unsigned second = 0; second < 10; second += 2) {
		pass_ms(2000);
		meet(reports, number++);
	}
	assert_true(commit_reports_are_complete(reports));
	for (unsigned second = 2; second < 70; second += 2) {
		pass_ms(2000);
		be_alone(reports);
		assert_int_equal(commit_reports_are_complete(reports),
		                 second < 5);
		assert_int_equal(asked.last.seen_count, 1);
	}
	/* It is forgotten, and five seconds later nothing is missed. */
	pass_ms(2000);
	be_alone(reports);
	assert_int_equal(asked.last.seen_count, 0);
	pass_ms(2000);
	be_alone(reports);
	pass_ms(3000);
	assert_true(commit_reports_are_complete(reports));
	/* If it is heard again, it is relied on. */
	meet(reports, number);
	assert_true(commit_reports_are_complete(reports));
}

#define IN_A_PROCESS(test) \
	cmocka_unit_test_setup_teardown(test, set_up, tear_down)
#define IN_A_QUIET_PROCESS(test) \
	cmocka_unit_test_setup_teardown(test, set_up_quiet, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_A_PROCESS(a_process_alone_reports_only_that_it_runs),
		IN_A_PROCESS(with_others_changes_are_reported_at_once),
		IN_A_QUIET_PROCESS(without_waiters_there_is_little_exchange),
		IN_A_QUIET_PROCESS(with_a_waiter_others_are_read_soon),
		IN_A_PROCESS(what_others_report_is_found_once),
		IN_A_PROCESS(a_lost_report_is_repeated_with_another_number),
		IN_A_PROCESS(a_report_says_that_there_is_more),
		IN_A_PROCESS(doubt_ends_completeness_for_a_time),
		IN_A_PROCESS(others_are_remembered_for_eight_seconds),
		IN_A_PROCESS(reports_are_complete_while_others_know_this_one),
		IN_A_PROCESS(a_silent_process_is_not_relied_on),
	};

	return cmocka_run_group_tests_name("commit reports", tests, NULL, NULL);
}
