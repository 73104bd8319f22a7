/*
 * choose.h - what an entry of legal_actions leaves to choose.
 *
 * "choose" has a form for each member that the body lacks: a value out of
 * options (one_of), different values out of options (some_of), or a number
 * (range).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include <json-c/json.h>

#include "base/arena.h"

/* A number below count. */
unsigned any_of(size_t count);

/* The two bodies of an entry, with its choices made at random; in the arena. */
struct chosen {
	const char *body;    /* for the route of its "href" */
	const char *command; /* for POST .../actions */
};
struct chosen choose_from(struct arena *arena, struct json_object *entry);

/* True if an entry allows this body of its route (NULL: no body). */
bool choose_allows(struct json_object *entry, const char *text);
