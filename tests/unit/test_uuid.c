/*
 * test_uuid.c - the ids of games.  They are printed in lower case and read in
 * any case.  Rows are in uuid.def.
 */
#include "base/uuid.h"

#include <string.h>

#include "rows.h"

struct uuid_row {
	const char *name;
	const char *text;
	const char *printed;
};

static struct uuid_row reads_rows[] = {
#define READS(...) { __VA_ARGS__ },
#include "uuid.def"
};

static struct uuid_row refuses_rows[] = {
#define REFUSES(...) { __VA_ARGS__ },
#include "uuid.def"
};

static void check_reads(void **state)
{
	const struct uuid_row *row = *state;
	char text[UUID_TEXT_LEN + 1];
	struct uuid uuid;

	assert_true(uuid_parse(row->text, strlen(row->text), &uuid));
	uuid_print(uuid, text);
	assert_string_equal(text, row->printed);
}

static void check_refuses(void **state)
{
	const struct uuid_row *row = *state;
	struct uuid uuid;
	struct uuid before;

	memset(&uuid, 7, sizeof(uuid));
	before = uuid;
	assert_false(uuid_parse(row->text, strlen(row->text), &uuid));
	assert_memory_equal(&uuid, &before, sizeof(uuid));
}

/* The time goes first, then version 7 and the variant among the chance. */
static void check_make(void **state)
{
	const uint8_t ones[10] = { 0xff, 0xff, 0xff, 0xff, 0xff,
		                   0xff, 0xff, 0xff, 0xff, 0xff };
	const uint8_t zeros[10] = { 0 };
	char text[UUID_TEXT_LEN + 1];

	(void)state;
	uuid_print(uuid_make(UINT64_C(0x0193a5b27c4d), ones), text);
	assert_string_equal(text, "0193a5b2-7c4d-7fff-bfff-ffffffffffff");
	uuid_print(uuid_make(UINT64_C(0x0193a5b27c4d), zeros), text);
	assert_string_equal(text, "0193a5b2-7c4d-7000-8000-000000000000");
	uuid_print(uuid_make(0, zeros), text);
	assert_string_equal(text, "00000000-0000-7000-8000-000000000000");
}

/* Ids that are made later come later. */
static void check_order(void **state)
{
	const uint8_t ones[10] = { 0xff, 0xff, 0xff, 0xff, 0xff,
		                   0xff, 0xff, 0xff, 0xff, 0xff };
	const uint8_t zeros[10] = { 0 };
	struct uuid early = uuid_make(1769860800255, ones);
	struct uuid late = uuid_make(1769860800256, zeros);

	(void)state;
	assert_true(memcmp(&early, &late, sizeof(early)) < 0);
}

/* The id of zeros means no id; an id with any bit set is one. */
static void check_none(void **state)
{
	struct uuid uuid = { { 0 } };

	(void)state;
	assert_true(uuid_is_none(uuid));
	for (size_t i = 0; i < sizeof(uuid.bytes); i++) {
		uuid.bytes[i] = 1;
		assert_false(uuid_is_none(uuid));
		uuid.bytes[i] = 0;
	}
}

int main(void)
{
	static struct rows rows;

	ROWS_ADD(&rows, reads_rows, check_reads);
	ROWS_ADD(&rows, refuses_rows, check_refuses);
	rows_add(&rows, "an id has the time and random bytes", check_make,
	         NULL);
	rows_add(&rows, "later ids are greater", check_order, NULL);
	rows_add(&rows, "the id of zeros is no id", check_none, NULL);
	return rows_run("uuid", &rows);
}
