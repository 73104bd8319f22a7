/*
 * hand_exhaustive.c - every hand there is of seven and of eight cards,
 * counted by ranking.  It is no test_*.c since it takes too long for each
 * build; "make check-exhaustive" runs it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/macros.h"
#include "hand_counts.h"

static struct hand_counts_row rows[] = {
#define COUNTS(name, cards, jx, ...) { (name), (cards), (jx), { __VA_ARGS__ } },
#include "hand_exhaustive.def"
};

int main(void)
{
	struct CMUnitTest tests[ARRAY_LEN(rows)];

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		tests[i] = (struct CMUnitTest){
			.name = rows[i].name,
			.test_func = hand_counts_check,
			.initial_state = &rows[i],
		};
	}
	return cmocka_run_group_tests_name("hand, exhaustive", tests, NULL,
	                                   NULL);
}
