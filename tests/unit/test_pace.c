/*
 * test_pace.c - how long statements wait for others: a commit that is under
 * way, the time since the last ones, and a client alone.
 */
#include "store/pace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/clock.h"

enum { APART_US = 2000, UNDER_WAY_US = 3000, START_US = 1000000 };

static uint64_t us(uint64_t microseconds)
{
	return microseconds * 1000;
}

/* How long a move that is queued now waits, with no commit under way. */
static uint64_t wait_us(struct pace *pace, uint64_t now_us)
{
	uint64_t until = pace_until_ns(pace, 1, us(now_us), 0, us(now_us));

	return until > us(now_us) ? until / 1000 - now_us : 0;
}

static void a_move_after_a_pause_does_not_wait(void **state)
{
	struct pace pace = { .apart_ns = us(APART_US) };

	(void)state;
	assert_int_equal(wait_us(&pace, START_US), 0);
	pace_note_sent(&pace, 1, us(START_US));
	assert_int_equal(wait_us(&pace, START_US + APART_US), 0);
}

static void a_move_soon_after_a_commit_waits(void **state)
{
	struct pace pace = { .apart_ns = us(APART_US) };

	(void)state;
	pace_note_sent(&pace, 1, us(START_US));
	for (uint64_t after_us = 0; after_us < APART_US; after_us += 100)
		assert_int_equal(wait_us(&pace, START_US + after_us),
		                 APART_US - after_us);
	/* Eight are enough. */
	assert_true(pace_until_ns(&pace, 7, us(START_US), 0, us(START_US)) ==
	            us(START_US + APART_US));
	assert_true(pace_until_ns(&pace, 8, us(START_US), 0, us(START_US)) <=
	            us(START_US));
}

/* As long as the commit may take, from when both are there. */
static void a_commit_under_way_is_waited_for(void **state)
{
	struct pace pace = { .apart_ns = us(APART_US) };
	uint64_t sent = us(START_US);
	uint64_t later = sent + us(5000);

	(void)state;
	pace_note_sent(&pace, 1, sent);
	assert_true(pace_until_ns(&pace, 1, sent + 1, sent, sent + us(2500)) ==
	            sent + us(UNDER_WAY_US));
	assert_true(pace_until_ns(&pace, 1, later, sent, later) <= later);
	/* A move that could not be sent before is not held up longer. */
	assert_true(pace_until_ns(&pace, 1, sent - us(1000), sent,
	                          sent + us(2100)) ==
	            sent - us(1000) + us(UNDER_WAY_US));
}

/* Its next move comes when the last one is answered. */
static void a_client_alone_soon_waits_no_more(void **state)
{
	enum { MOVES = 640 };
	struct pace pace = { .apart_ns = us(APART_US) };
	uint64_t now_us = START_US;
	unsigned waits = 0;

	(void)state;
	for (unsigned i = 0; i < MOVES; i++) {
		uint64_t waited_us = wait_us(&pace, now_us);

		waits += waited_us > 0;
		now_us += waited_us;
		pace_note_sent(&pace, 1, us(now_us));
		now_us += 1000;
	}
	assert_in_range(waits, 1, 6 + MOVES / 64);
}

static void others_who_come_make_it_wait_again(void **state)
{
	struct pace pace = { .apart_ns = us(APART_US) };
	uint64_t now_us = START_US;

	(void)state;
	for (unsigned i = 0; i < 200; i++) {
		now_us += wait_us(&pace, now_us);
		pace_note_sent(&pace, 1, us(now_us));
	}
	assert_true(pace.skips > 0);
	while (pace.skips > 0)
		pace_note_sent(&pace, 1, us(now_us));
	for (unsigned i = 0; i < 5; i++) {
		assert_int_equal(wait_us(&pace, now_us), APART_US);
		now_us += APART_US;
		pace_note_sent(&pace, 2, us(now_us));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_move_after_a_pause_does_not_wait),
		cmocka_unit_test(a_move_soon_after_a_commit_waits),
		cmocka_unit_test(a_commit_under_way_is_waited_for),
		cmocka_unit_test(a_client_alone_soon_waits_no_more),
		cmocka_unit_test(others_who_come_make_it_wait_again),
	};

	return cmocka_run_group_tests_name("pace", tests, NULL, NULL);
}
