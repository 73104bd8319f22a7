/*
 * test_placement.c - games are looked for where PostgreSQL's hash puts them, at
 * a server that is named like the coordinator.
 */
#include "store/placement.h"

#include <stdlib.h>
#include <string.h>

#include "postgres/connection_string.h"
#include "rows.h"

struct hash_row {
	const char *name; /* the id */
	uint32_t place;
};

static struct hash_row hash_rows[] = {
#define HASH(...) { __VA_ARGS__ },
#include "placement.def"
};

static void check_hash(void **state)
{
	const struct hash_row *row = *state;
	struct uuid id;

	assert_true(uuid_parse(row->name, strlen(row->name), &id));
	assert_int_equal(placement_hash(id), row->place);
}

struct string_row {
	const char *name;
	const char *url;
	const char *expected; /* for the host "h" and the port 7 */
};

static struct string_row string_rows[] = {
	{ "keywords", "host=a port=1 user=u dbname=d",
	  "user='u' dbname='d' host='h' port='7' " },
	{ "a URI", "postgresql://u:p@a:1/d",
	  "user='u' password='p' dbname='d' host='h' port='7' " },
	{ "several hosts",
	  "host=a,b port=1,2 hostaddr=10.0.0.1,10.0.0.2 user=u "
	  "target_session_attrs=read-write",
	  "user='u' host='h' port='7' " },
	{ "quotes", "user=u password='a\\'b\\\\c d'",
	  "user='u' password='a\\'b\\\\c d' host='h' port='7' " },
};

static void check_string(void **state)
{
	const struct string_row *row = *state;
	char *text = connection_string_for(row->url, "h", 7);

	assert_string_equal(text, row->expected);
	free(text);
}

int main(void)
{
	static struct rows rows;

	ROWS_ADD(&rows, hash_rows, check_hash);
	ROWS_ADD(&rows, string_rows, check_string);
	return rows_run("placement", &rows);
}
