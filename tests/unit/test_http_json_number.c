/*
 * test_http_json_number.c - which numbers are whole, and their values.
 */
#include "http/json_number.h"

#include "rows.h"

struct row {
	const char *name;
	bool is_whole;
	int64_t number;
};

static struct row rows_of_file[] = {
#define WHOLE(text, number) { text, true, number },
#define NOT_WHOLE(text)     { text, false, 0 },
#include "test_http_json_number.def"
};

static void check(void **state)
{
	const struct row *row = *state;
	int64_t number = 77;

	assert_int_equal(json_number_whole(row->name, &number), row->is_whole);
	assert_int_equal(number, row->is_whole ? row->number : 77);
}

int main(void)
{
	static struct rows rows;

	ROWS_ADD(&rows, rows_of_file, check);
	return rows_run("whole numbers of JSON", &rows);
}
