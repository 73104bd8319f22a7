/*
 * rows.c - collects the rows of tables as tests of cmocka.
 *
 * The list has a fixed size and is filled once, before it is run: a table that
 * does not fit ends the program.
 */
#include "rows.h"

#include <stdlib.h>

void rows_add(struct rows *rows, const char *name, CMUnitTestFunction check,
              void *row)
{
	if (rows->count == ROWS_MAX)
		abort();
	rows->tests[rows->count++] = (struct CMUnitTest){
		.name = name,
		.test_func = check,
		.initial_state = row,
	};
}

int rows_run(const char *name, struct rows *rows)
{
	return _cmocka_run_group_tests(name, rows->tests, rows->count, NULL,
	                               NULL);
}
