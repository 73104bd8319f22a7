/*
 * expect.h - what a story expects of an answer, and finding things in it.
 *
 *   409 chip_moved                 the status, and the problem's code
 *   .heist.chips[1].seat == 2      a value; also != < <= > >=
 *   .players[*].name == ["A"]      of all elements
 *   .chips[color=white,stars=2]    of the first element that is so
 *   .you.legal_actions has {"action":"start"}   an element, with at least
 *                                  these members; lacks is the contrary
 *   .heist.chips count 3
 *   .token matches "^gang_"        an extended regular expression
 *   .rematch exists, .x absent     null exists
 *   header etag == "..."           the same for a header field
 *   body has "..."                 and for the whole body as text
 *   keep t = .token                $t stands for it from now on
 */
#pragma once

#include "story.h"

/* Check all the expectations of a line. */
void expect_all(struct story *story, const struct exchange *exchange,
                const char *text);

/* True when the answer is as the expectation (one) says. */
bool expect_holds(struct story *story, const struct exchange *exchange,
                  const char *text);

/* The problem's code in an answer; "" when it is none. */
const char *expect_code(const struct exchange *exchange);

/*
 * Find what a path names, ".heist.round"; false when it is not there.  The
 * value, which may be NULL for null, is borrowed from json or the story.
 */
bool expect_find(struct story *story, struct json_object *json,
                 const char *path, struct json_object **value);

/* The same for values that are wanted as they are; what is absent is ""/-1. */
const char *expect_text(struct story *story, struct json_object *json,
                        const char *path);
int expect_int(struct story *story, struct json_object *json, const char *path);
