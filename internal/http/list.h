/*
 * list.h - header fields that are lists (RFC 9110, section 5.6): members with
 * commas between, each a value with parameters after semicolons.  All results
 * point into the field.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "http/http.h"

struct list_member {
	struct http_slice value; /* without blanks around it */
	const char *params;      /* those that were not taken yet */
	const char *end;         /* of the member */
};

/* Read the member that begins at text, also an empty one; returns its end. */
const char *list_read(const char *text, struct list_member *member);

/*
 * Read the next member of *field (or of NULL) that is not empty, and move past
 * it.  False at the end.
 */
bool list_next(const char **field, struct list_member *member);

/* True if the value is the word, or its part before ";", in any case. */
bool list_is(const struct list_member *member, const char *word);

/* Take the next parameter of that name; false at the end. */
bool list_param(struct list_member *member, const char *name,
                struct http_slice *value);

/*
 * The weight "q" of a member in thousandths (section 12.4.2).  It is
 * LIST_WEIGHT_MAX if it is absent or malformed; false if it is malformed.
 */
enum { LIST_WEIGHT_MAX = 1000 };
bool list_weight(struct list_member *member, unsigned *weight);
