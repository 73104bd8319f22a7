/*
 * legal.h - prints an element of "legal_actions".
 *
 * An element has an action twice: "method", "href" and "body" for the
 * action's own route, and "command" as the body of POST .../actions.  The
 * members of "body" are printed once and copied into "command".  "choose" has
 * each member that a client must add to both, in one of three forms:
 *
 *   one_of   a value out of "options"
 *   some_of  an array of "least" to "most" different values out of "options"
 *   range    a whole number from "least" to "most"
 *
 * Each combination of such values is a legal action, so an action whose values
 * depend on each other is several elements.
 */
#pragma once

#include "base/json_out.h"

/* The parts of an element, in their order. */
enum legal_part { LEGAL_BODY, LEGAL_COMMAND, LEGAL_OTHERS, LEGAL_CHOOSE };

/* An element that is being printed. */
struct legal {
	struct json_out *out;
	const char *action; /* its code */
	size_t body;        /* where the members of "body" begin */
	enum legal_part part;
};

/*
 * Begin an element with an open "body".  The action's own route is a POST to
 * game_path + tail.  All texts are borrowed.
 */
struct legal legal_begin(struct json_out *out, const char *action,
                         const char *game_path, const char *tail);

/*
 * Go on to a later part: the members that "command" has in addition to those of
 * "body", then other members of the element, then those of "choose".
 */
void legal_go_on(struct legal *legal, enum legal_part part);

/*
 * Begin a member of "choose" in the form of one_of; or of some_of, where
 * exactly count values are to be chosen.  The caller prints the array "options"
 * and ends the object.
 */
void legal_one_of(struct legal *legal, const char *name);
void legal_some_of(struct legal *legal, const char *name, unsigned count);

/* Print a member of "choose" in the form of a range. */
void legal_range(struct legal *legal, const char *name, unsigned least,
                 unsigned most);

/* End the element; "choose" is null if nothing is left to choose. */
void legal_end(struct legal *legal);

/* Print an element whose body has no members. */
void legal_print(struct json_out *out, const char *action,
                 const char *game_path, const char *tail);
