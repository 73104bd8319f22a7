/*
 * usage.h - what each caller has used of its quotas and caps.
 *
 * A quota allows a number of requests in a window.  It is a token bucket: all
 * of them may come at once, and they come back one by one, evenly over the
 * window.  A cap bounds how many things of a kind exist at a time.
 *
 * One struct usage serves all threads.  A caller is any run of bytes: an
 * address, the hash of a token, the id of a game.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum { QUOTA_MINUTE_S = 60, QUOTA_DAY_S = 24 * 60 * 60 };

struct quota {
	const char *name;  /* different for each quota; static */
	unsigned requests; /* allowed in a window, at least 1 */
	unsigned window_s;
};

/* The rest of a quota after a request. */
struct quota_left {
	unsigned requests;
	unsigned full_s; /* until all requests of the quota are there again */
	unsigned next_s; /* after a refusal: until a request is; at least 1 */
};

struct usage;

/* NULL if the system gives no random bytes. */
struct usage *usage_open(void);

/* NULL is fine. */
void usage_close(struct usage *usage);

/* Count a request; false, and not counted, if the quota is used up. */
MUST_CHECK bool usage_take(struct usage *usage, const struct quota *quota,
                           const uint8_t *caller, size_t caller_len,
                           uint64_t now_ns, struct quota_left *left);

/*
 * Count so many requests and refuse none.  What exceeds the quota is owed:
 * later requests are refused until it has come back.
 */
struct quota_left usage_charge(struct usage *usage, const struct quota *quota,
                               const uint8_t *caller, size_t caller_len,
                               uint64_t now_ns, unsigned requests);

/*
 * Count a thing of a kind (a static name), such as a connection, against a cap;
 * 0: no cap.  Returns how many there are now, this one included, or 0 if the
 * cap is reached; then it is not counted.
 */
MUST_CHECK unsigned usage_enter(struct usage *usage, const char *kind,
                                unsigned cap, const uint8_t *caller,
                                size_t caller_len);

/* Count a thing no longer that usage_enter() has counted. */
void usage_leave(struct usage *usage, const char *kind, const uint8_t *caller,
                 size_t caller_len);
