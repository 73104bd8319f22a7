/*
 * test_http_coding.c - who may be sent what is compressed.
 */
#include "http/coding.h"

#include "rows.h"

struct gzip_row {
	const char *name;
	const char *field;
	bool accepted;
};

static struct gzip_row gzip_rows[] = {
#define GZIP(...) { __VA_ARGS__ },
#include "test_http_coding.def"
};

static void check_gzip(void **state)
{
	const struct gzip_row *row = *state;

	assert_int_equal(coding_accepts_gzip(row->field), row->accepted);
}

int main(void)
{
	static struct rows rows;

	ROWS_ADD(&rows, gzip_rows, check_gzip);
	return rows_run("http coding", &rows);
}
