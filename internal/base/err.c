/*
 * The rows of err.def, indexed by enum err.
 */
#include "base/err.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

static const struct {
	const char *code;
	const char *title;
	const char *text;
	enum err_kind kind;
} rows[] = {
#define ERR(name, code, kind, title, text) \
	[ERR_##name] = { code, title, text, ERR_KIND_##kind },
#include "base/err.def"
};

const char *err_code(enum err err)
{
	assert((size_t)err < ARRAY_LEN(rows));
	return rows[err].code;
}

const char *err_title(enum err err)
{
	assert((size_t)err < ARRAY_LEN(rows));
	return rows[err].title;
}

const char *err_text(enum err err)
{
	assert((size_t)err < ARRAY_LEN(rows));
	return rows[err].text;
}

enum err_kind err_kind(enum err err)
{
	assert((size_t)err < ARRAY_LEN(rows));
	return rows[err].kind;
}

bool err_find(const char *code, enum err *err)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (strcmp(rows[i].code, code) == 0) {
			*err = (enum err)i;
			return true;
		}
	}
	return false;
}
