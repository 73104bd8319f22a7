/*
 * err.h - every way a request can be refused.
 *
 * The rows are in err.def.  A function that can fail returns enum err, is
 * MUST_CHECK, and leaves what its pointers name untouched when it fails.
 */
#pragma once

#include <stdbool.h>

#define MUST_CHECK   __attribute__((warn_unused_result))
#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

enum err {
#define ERR(name, ...) ERR_##name,
#include "base/err.def"
	ERR_COUNT
};

/* A group of errors that share a status; http/problem.c maps them. */
enum err_kind {
	ERR_KIND_NONE,
	ERR_KIND_MALFORMED,
	ERR_KIND_INVALID,
	ERR_KIND_UNAUTHENTICATED,
	ERR_KIND_FORBIDDEN,
	ERR_KIND_MISSING,
	ERR_KIND_CONFLICT,
	ERR_KIND_STALE,
	ERR_KIND_METHOD,
	ERR_KIND_ACCEPT,
	ERR_KIND_LENGTH,
	ERR_KIND_URI,
	ERR_KIND_TYPE,
	ERR_KIND_FIELDS,
	ERR_KIND_UNKNOWN,
	ERR_KIND_LIMITED,
	ERR_KIND_UNAVAILABLE,
	ERR_KIND_BROKEN,
	ERR_KIND_COUNT
};

/* The columns of err.def.  The strings are static. */
const char *err_code(enum err err);  /* "no_such_chip" */
const char *err_title(enum err err); /* "No such chip" */
const char *err_text(enum err err);  /* a sentence or two */
enum err_kind err_kind(enum err err);

/* Find the row with this code; false when there is none. */
MUST_CHECK bool err_find(const char *code, enum err *err);
