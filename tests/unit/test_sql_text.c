/*
 * test_sql_text.c - SQL text is taken apart into its commands.
 */
#include "admin/sql_text.h"

#include <ctype.h>
#include <string.h>

#include "base/embed.h"
#include "postgres/schema.h"
#include "rows.h"

struct text_row {
	const char *name;
	const char *text;
	const char *commands;
};

static struct text_row text_rows[] = {
#define TEXT(...) { __VA_ARGS__ },
#include "sql_text.def"
};

static void check_text(void **state)
{
	const struct text_row *row = *state;
	const char *text = row->text;
	char found[512] = "";
	size_t len;

	while ((len = sql_text_command(text))) {
		const char *begin = text;

		while (isspace((unsigned char)*begin))
			begin++;
		if (found[0])
			(void)strcat(found, "|");
		(void)strncat(found, begin, len - (size_t)(begin - text));
		text += len;
	}
	assert_string_equal(found, row->commands);
}

/* Each function is one command; of the migrations nothing is lost. */
static void check_files(void **state)
{
	size_t len;

	(void)state;
	for (const struct embedded *file = embed_functions; file->name;
	     file++) {
		len = sql_text_command(file->bytes);
		assert_true(len > 0);
		assert_int_equal(sql_text_command(file->bytes + len), 0);
	}
	for (const struct embedded *file = embed_migrations; file->name;
	     file++) {
		const char *text = file->bytes;

		while ((len = sql_text_command(text))) {
			assert_int_equal(text[len - 1], ';');
			text += len;
		}
	}
}

int main(void)
{
	static struct rows rows;

	ROWS_ADD(&rows, text_rows, check_text);
	rows_add(&rows, "the files of sql", check_files, NULL);
	return rows_run("sql text", &rows);
}
