/*
 * limit.h - how often somebody may ask, and how much they may have at a time.
 *
 * A policy allows a number of requests at once, and gives them back one by one,
 * evenly, within a minute or a day (a token bucket, kept as the time at which
 * it is full again).  One struct usage serves all threads: it is nothing
 * but numbers that change atomically, found by a hash under a key that nobody
 * knows.  Two who fall on the same number share it; that is rare, and nobody
 * can bring it about.
 */
#ifndef QUOTA_USAGE_H
#define QUOTA_USAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum { LIMIT_WINDOW_S = 60, LIMIT_DAY_S = 24 * 60 * 60 };

struct quota {
	const char *name; /* two policies have two names; static */
	unsigned quota;   /* not 0: who has no limit does not ask */
	unsigned
		window_s; /* in which the quota comes back; 0: LIMIT_WINDOW_S */
};

unsigned quota_window_s(const struct quota *policy);

/* What is left after a request. */
struct quota_left {
	unsigned requests;
	unsigned full_s; /* until all of the quota is there again */
	unsigned next_s; /* if it was refused: until one is; at least 1 */
};

struct usage;

/* NULL without chance for its key. */
struct usage *usage_open(void);

/* NULL is fine. */
void usage_close(struct usage *limits);

/* Count a request of who is known by these bytes; false: it is one too many. */
MUST_CHECK bool usage_take(struct usage *limits, const struct quota *policy,
                           const uint8_t *who, size_t who_len, uint64_t now_ns,
                           struct quota_left *left);

/*
 * Count so many requests more, of which none is refused: what is too much is
 * owed, and the next ones wait until it is paid back.
 */
struct quota_left usage_charge(struct usage *limits, const struct quota *policy,
                               const uint8_t *who, size_t who_len,
                               uint64_t now_ns, unsigned count);

/*
 * Count a thing of a kind (its name; static), such as a connection, of somebody
 * who may have so many at a time (0: any number).  How many there are now, this
 * one among them; 0, and not counted, if there were as many.
 */
MUST_CHECK unsigned usage_enter(struct usage *limits, const char *kind,
                                unsigned most, const uint8_t *who,
                                size_t who_len);
void usage_leave(struct usage *limits, const char *kind, const uint8_t *who,
                 size_t who_len);

#endif
