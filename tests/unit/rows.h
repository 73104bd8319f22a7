/*
 * rows.h - a test for each row of a table, with the row's name.
 *
 * A row is a struct whose first member is its name.  Fill an array of tests
 * with ROWS_ADD, one call for each table, and run it with rows_run().
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/err.h"

enum { ROWS_MAX = 1024 };

/* Tests in the order of their rows; all zeros is an empty list. */
struct rows {
	size_t count;
	struct CMUnitTest tests[ROWS_MAX];
};

/* Add a test; name and row are borrowed until the tests have run. */
void rows_add(struct rows *rows, const char *name, CMUnitTestFunction check,
              void *row);

/* Add a test for each row of an array. */
#define ROWS_ADD(rows, table, check)                                 \
	do {                                                         \
		for (size_t row = 0; row < ARRAY_LEN(table); row++)  \
			rows_add((rows), (table)[row].name, (check), \
			         &(table)[row]);                     \
	} while (0)

/* Run all tests; 0 if all passed. */
int rows_run(const char *name, struct rows *rows);
