/*
 * json_grammar.h - is a text strict JSON?
 *
 * RFC 8259 in UTF-8.  Where it leaves a choice, this is the strict one: no
 * duplicate names in an object, no unpaired surrogate, no zero character, no
 * byte order mark, at most eight levels and 64 names.
 */
#pragma once

#include <stddef.h>

#include "base/arena.h"

enum {
	JSON_DEPTH_MAX = 8,
	JSON_NAMES_MAX = 64 /* in all objects that enclose one place */
};

/* NULL if so; else a sentence, in the arena: what is wrong, and where. */
const char *json_grammar_fault(const char *text, size_t len,
                               struct arena *arena);
