/*
 * test_err.c - the registry of errors.  Each row has a kind, a code of its own
 * and a text.
 */
#include <string.h>

#include "rows.h"

struct err_row {
	const char *name; /* the code, from the row itself */
	enum err err;
	enum err_kind kind;
};

static struct err_row err_rows[] = {
#define ERR(name, code, kind, ...) { code, ERR_##name, ERR_KIND_##kind },
#include "base/err.def"
};

static void check_row(void **state)
{
	const struct err_row *row = *state;
	enum err found;

	assert_string_equal(err_code(row->err), row->name);
	assert_int_equal(err_kind(row->err), row->kind);
	assert_true(err_find(row->name, &found));
	/* The first with this code, hence the only one. */
	assert_int_equal(found, row->err);
	assert_int_equal(strspn(row->name, "abcdefghijklmnopqrstuvwxyz_"),
	                 strlen(row->name));
	assert_true(strlen(err_title(row->err)) > 0);
	const char *text = err_text(row->err);
	assert_true(strlen(text) > 0);
	assert_int_equal(text[strlen(text) - 1], '.');
}

static void check_unknown(void **state)
{
	static const char *const codes[] = { "",    "OK",      "o",
		                             "ok ", "no_such", "No such chip" };
	enum err found = ERR_INTERNAL;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(codes); i++) {
		assert_false(err_find(codes[i], &found));
		assert_int_equal(found, ERR_INTERNAL);
	}
}

/* Callers test for success by "if (err)". */
static void check_ok(void **state)
{
	(void)state;
	assert_int_equal(ERR_OK, 0);
	assert_int_equal(err_kind(ERR_OK), ERR_KIND_NONE);
	assert_int_equal(ARRAY_LEN(err_rows), ERR_COUNT);
}

int main(void)
{
	static struct rows rows;

	ROWS_ADD(&rows, err_rows, check_row);
	rows_add(&rows, "an unknown code is not found", check_unknown, NULL);
	rows_add(&rows, "no error is zero", check_ok, NULL);
	return rows_run("err", &rows);
}
