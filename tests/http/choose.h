/*
 * choose.h - what an entry of legal_actions leaves to choose.
 *
 * "choose" has a list of options for each member of the body.  Of Famiglia's
 * some have rules of their own:
 *
 *   {"count":{"min":1,"max":2},"give":[..],"take":[..]}   as many of each
 *   {"target":[{"card":"f3a","max":2}]}                   and "by" up to max
 *   {"pay":{"cards":[..],"stand_ins":[..]}}               two, one of cards;
 *                                                         and "keep", of them
 */
#pragma once

#include "story.h"

/* A number below count. */
unsigned any_of(size_t count);

/* The body that an entry asks for, chosen at random; NULL: none. */
const char *choose_body(struct story *story, struct json_object *entry);

/* True if an entry allows this body (NULL: none). */
bool choose_allows(struct json_object *entry, const char *text);
