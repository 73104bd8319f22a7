/*
 * test_json_out.c - JSON is written by appending.  Commas and escapes are
 * right, and a text that does not fit is marked as such.  Rows are in
 * json_out.def, json_string.def and json_int.def.
 */
#include "base/json_out.h"

#include <stdlib.h>
#include <string.h>

#include "rows.h"

enum { ROOM = 256 };

struct writes_row {
	const char *name;
	const char *script;
	const char *json;
};

static struct writes_row writes_rows[] = {
#define WRITES(...) { __VA_ARGS__ },
#include "json_out.def"
};

static struct writes_row escapes_rows[] = {
#define ESCAPES(...) { __VA_ARGS__ },
#include "json_string.def"
};

struct int_row {
	const char *name;
	int64_t number;
	const char *json;
};

static struct int_row int_rows[] = {
#define NUMBER(number, json) { #number, (number), (json) },
#include "json_int.def"
};

/* Write the text between two quotes; returns the place of the second. */
static const char *write_quoted(struct json_out *out, const char *at)
{
	const char *end = strchr(at + 1, '"');

	assert_non_null(end);
	json_string_len(out, at + 1, (size_t)(end - at - 1));
	return end;
}

static void write_sign(struct json_out *out, char sign)
{
	char key[] = { sign, '\0' };

	if (sign == '{')
		json_object(out);
	else if (sign == '}')
		json_object_end(out);
	else if (sign == '[')
		json_array(out);
	else if (sign == ']')
		json_array_end(out);
	else if (sign == 'T' || sign == 'F')
		json_bool(out, sign == 'T');
	else if (sign == 'N')
		json_null(out);
	else if (sign == '?')
		json_string_or_null(out, NULL);
	else if (sign == '!')
		json_literal(out, "[true]");
	else if (sign == '%')
		json_raw(out, "{\"r\":1}", 7);
	else if (sign >= '0' && sign <= '9')
		json_int(out, sign - '0');
	else
		json_key(out, key);
}

static void run_script(struct json_out *out, const char *script)
{
	for (const char *at = script; *at; at++) {
		if (*at == '"')
			at = write_quoted(out, at);
		else
			write_sign(out, *at);
	}
}

static void check_text(const struct json_out *out, const char *json)
{
	assert_true(json_out_fits(out));
	assert_int_equal(json_out_len(out), strlen(json));
	assert_memory_equal(out->start, json, strlen(json));
}

/* Write to buffers: large, just large enough, and too small by any count. */
static void check_writes(void **state)
{
	const struct writes_row *row = *state;
	size_t len = strlen(row->json);
	char buffer[ROOM];
	struct json_out out;

	json_out_init(&out, buffer, sizeof(buffer));
	run_script(&out, row->script);
	check_text(&out, row->json);
	json_out_init(&out, buffer, len);
	run_script(&out, row->script);
	check_text(&out, row->json);
	for (size_t size = 0; size < len; size++) {
		memset(buffer, '#', sizeof(buffer));
		json_out_init(&out, buffer, size);
		run_script(&out, row->script);
		assert_false(json_out_fits(&out));
		assert_in_range(json_out_len(&out), 0, size);
		assert_int_equal(buffer[size], '#');
	}
}

static void check_escapes(void **state)
{
	const struct writes_row *row = *state;
	char buffer[ROOM];
	struct json_out out;

	json_out_init(&out, buffer, sizeof(buffer));
	json_string(&out, row->script);
	check_text(&out, row->json);
	json_out_init(&out, buffer, sizeof(buffer));
	json_string_or_null(&out, row->script);
	check_text(&out, row->json);
}

static void check_int(void **state)
{
	const struct int_row *row = *state;
	char buffer[ROOM];
	struct json_out out;

	json_out_init(&out, buffer, sizeof(buffer));
	json_int(&out, row->number);
	check_text(&out, row->json);
}

static void check_zero_byte(void **state)
{
	char buffer[ROOM];
	struct json_out out;

	(void)state;
	json_out_init(&out, buffer, sizeof(buffer));
	json_string_len(&out, "a\0b", 3);
	check_text(&out, "\"a\\u0000b\"");
}

static void check_members(void **state)
{
	char buffer[ROOM];
	struct json_out out;

	(void)state;
	json_out_init(&out, buffer, sizeof(buffer));
	json_object(&out);
	json_key_string(&out, "s", "x");
	json_key_int(&out, "i", -3);
	json_key_bool(&out, "b", true);
	json_key_null(&out, "n");
	json_key_int_or_null(&out, "o", 7);
	json_key_int_or_null(&out, "p", 0);
	json_object_end(&out);
	check_text(&out, "{\"s\":\"x\",\"i\":-3,\"b\":true,\"n\":null,"
	                 "\"o\":7,\"p\":null}");
}

int main(void)
{
	static struct rows rows;

	ROWS_ADD(&rows, writes_rows, check_writes);
	ROWS_ADD(&rows, escapes_rows, check_escapes);
	ROWS_ADD(&rows, int_rows, check_int);
	rows_add(&rows, "a zero byte is escaped", check_zero_byte, NULL);
	rows_add(&rows, "a key with its value", check_members, NULL);
	return rows_run("json_out", &rows);
}
