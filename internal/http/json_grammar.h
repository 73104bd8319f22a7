/*
 * json_grammar.h - is a text strict JSON?
 *
 * RFC 8259 in UTF-8.  Where it leaves a choice, the narrow one is taken: no
 * name twice in an object, no surrogate without its other half, no zero
 * character, eight levels and 64 names at most, no byte order mark.
 */
#pragma once

#include <stddef.h>

#include "base/arena.h"

enum {
	JSON_DEPTH_MAX = 8,
	JSON_NAMES_MAX = 64 /* in all objects that enclose one place */
};

/* NULL if it is; else a sentence, in the arena: what is wrong, and where. */
const char *json_grammar_fault(const char *text, size_t len,
                               struct arena *arena);
