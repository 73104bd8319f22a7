/*
 * test_url.c - connection strings, and whether a password is in them.  Rows
 * are in url.def.
 */
#include "postgres/connection_string.h"

#include "rows.h"

struct url_row {
	const char *name;
	const char *url;
	bool has_password;
};

static struct url_row url_rows[] = {
#define URL(...) { __VA_ARGS__ },
#include "url.def"
};

static void check_url(void **state)
{
	const struct url_row *row = *state;

	assert_int_equal(connection_string_has_password(row->url),
	                 row->has_password);
}

int main(void)
{
	static struct rows rows;

	ROWS_ADD(&rows, url_rows, check_url);
	return rows_run("url", &rows);
}
