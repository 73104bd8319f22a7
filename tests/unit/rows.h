/*
 * rows.h - a test for each row of a table, with the row's name.
 *
 * A row is a struct whose first member is its name.  Fill an array of tests
 * with ROWS_ADD, one call for each table, and run it with rows_run().
 */
#ifndef TESTS_ROWS_H
#define TESTS_ROWS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "base/err.h"

enum { ROWS_MAX = 1024 };

struct rows {
	size_t count;
	struct CMUnitTest tests[ROWS_MAX];
};

static inline void rows_add(struct rows *rows, const char *name,
                            CMUnitTestFunction check, void *row)
{
	if (rows->count == ROWS_MAX)
		abort();
	rows->tests[rows->count++] = (struct CMUnitTest){
		.name = name,
		.test_func = check,
		.initial_state = row,
	};
}

#define ROWS_ADD(rows, table, check)                                 \
	do {                                                         \
		for (size_t row = 0; row < ARRAY_LEN(table); row++)  \
			rows_add((rows), (table)[row].name, (check), \
			         &(table)[row]);                     \
	} while (0)

static inline int rows_run(const char *name, struct rows *rows)
{
	return _cmocka_run_group_tests(name, rows->tests, rows->count, NULL,
	                               NULL);
}

#endif
