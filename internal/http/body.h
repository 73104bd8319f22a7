/*
 * body.h - reads the JSON object in the body of a request.
 *
 * Between body_open() and body_close() a decoder asks for each member that it
 * knows.  Each call that finds something wrong notes a fault, and body_close()
 * notes one for each member that was not asked for; so the client learns of all
 * its faults at once.  An empty body is an empty object.
 *
 * body_open() checks the grammar (http/json_grammar.h).  In a malformed body
 * every member is absent, but without a fault, and body_close() returns
 * ERR_MALFORMED.
 *
 * Codes of faults: required, unknown, wrong_type, too_short, too_long,
 * out_of_range, not_one_of, not_allowed.
 *
 * Returned strings are valid UTF-8 without zero bytes and live as long as the
 * request.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "http/http.h"

enum { BODY_MEMBERS_MAX = 16 };

struct body {
	struct http_request *req;
	void *json;           /* the parsed object; NULL: no object */
	bool malformed;       /* req->detail says why */
	bool may_have_others; /* members that were not asked for */
	const char *within;   /* the JSON pointer of the object; "": the body */
	const char *asked[BODY_MEMBERS_MAX]; /* names asked for */
	size_t asked_count;
};

/*
 * A body that is JSON but not an object is a fault at "".  The caller closes
 * the body.
 */
void body_open(struct body *body, struct http_request *req);

/* True when the member is there (also when it is null). */
bool body_has(struct body *body, const char *name);

/* Allow a member of any type, which is not read. */
void body_ignore(struct body *body, const char *name);

/* Note a fault with this detail if the object lacks the member. */
void body_need(struct body *body, const char *name, const char *detail);

/* A string; NULL if it is absent (a fault if needed) or of another type. */
const char *body_string(struct body *body, const char *name, bool needed);

/* The same, not needed; null too reads as NULL, without a fault. */
const char *body_string_or_null(struct body *body, const char *name);

/*
 * A whole number of min..max, in any notation (4, 4.0, 4e0); the fallback if it
 * is absent.  The bounds are within 2^53, where readers of JSON agree.
 */
int64_t body_int(struct body *body, const char *name, int64_t min, int64_t max,
                 int64_t fallback);

/* The same; null reads as 0; min must be above 0. */
int64_t body_int_or_null(struct body *body, const char *name, int64_t min,
                         int64_t max, int64_t fallback);

/* True or false; the fallback if it is absent. */
bool body_bool(struct body *body, const char *name, bool fallback);

/*
 * One of count words, as its index; the fallback if it is absent.  The fault
 * lists the words.
 */
size_t body_choice(struct body *body, const char *name,
                   const char *const *words, size_t count, size_t fallback);

/*
 * A word, or a whole number of min..max: the number, or 0 for the word;
 * the fallback if it is absent.
 */
int64_t body_word_or_int(struct body *body, const char *name, const char *word,
                         int64_t min, int64_t max, int64_t fallback);

/*
 * An array of min..max arrays of inner_min..inner_max strings: calls each()
 * for every string with the two indices.  each() returns NULL, or the detail
 * of a not_allowed fault for that string.  Nothing is called if a length is
 * wrong.  Returns the number of outer items, 0 after any fault.
 */
typedef const char *(*body_item_fn)(void *arg, size_t outer, size_t inner,
                                    const char *text);
struct body_bounds {
	size_t min, max;
	size_t inner_min, inner_max;
};
size_t body_string_table(struct body *body, const char *name,
                         struct body_bounds bounds, body_item_fn each,
                         void *arg);

/*
 * An array of min..max strings, put into texts, which has room for max. Returns
 * their number; 0 if the array is absent, and after any fault.
 */
size_t body_strings(struct body *body, const char *name, size_t min, size_t max,
                    const char **texts);

/*
 * A member that is an object, needed, to be read in the same way and closed;
 * without it, all its members are absent, but no fault.
 */
void body_object(struct body *body, const char *name, struct body *object);

/*
 * Note no faults for unknown members: which members there may be depends on one
 * that is wrong.
 */
void body_skip_rest(struct body *body);

/*
 * Note a fault for each unknown member.  ERR_INVALID if there is any fault,
 * ERR_MALFORMED if the body is not JSON.
 */
MUST_CHECK enum err body_close(struct body *body);
