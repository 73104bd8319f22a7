/*
 * err.h - the errors with which a request can be refused; err.def lists them.
 *
 * A function that can refuse a request returns enum err and is MUST_CHECK. When
 * it fails, it leaves the objects that its pointers refer to unchanged.
 */
#pragma once

#include <stdbool.h>

#include "base/macros.h"

enum err {
#define ERR(name, ...) ERR_##name,
#include "base/err.def"
	ERR_COUNT
};

/* Errors of one kind have one HTTP status (http/problem.c). */
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

/* The columns of err.def; static. */
const char *err_code(enum err err);  /* such as "no_such_chip" */
const char *err_title(enum err err); /* such as "No such chip" */
const char *err_text(enum err err);  /* one or two sentences */
enum err_kind err_kind(enum err err);

/* Find the error with this code; false if the code is unknown. */
MUST_CHECK bool err_find(const char *code, enum err *err);
