/*
 * limiter.h - counts the use that each caller makes of quotas and caps.
 *
 * A quota allows a number of requests in a window.  It is a token bucket: a
 * caller may use all requests at once, and they are refilled one by one, evenly
 * over the window.  A cap limits the number of things of a kind, such as
 * connections, that exist at a time.
 *
 * All threads may use one struct limiter.  A caller is a string of bytes: an
 * address, the hash of a token or the id of a game.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/macros.h"

enum { QUOTA_MINUTE_S = 60, QUOTA_DAY_S = 24 * 60 * 60 };

struct quota {
	const char *name;  /* unique; static */
	unsigned requests; /* in a window, at least 1 */
	unsigned window_s; /* QUOTA_DAY_S, or about QUOTA_MINUTE_S */
};

/* The rest of a quota after a request; times in seconds. */
struct quota_left {
	unsigned requests;
	unsigned full_s; /* until the quota is full again */
	unsigned
		next_s; /* after a refusal: until the next request, 1 or more */
};

/* Things that exist for a while, and are counted for each caller. */
enum limiter_kind {
	LIMITER_CONNECTIONS,
	LIMITER_WAITS,          /* requests that wait, and streams */
	LIMITER_CREATIONS,      /* public games that an address is creating */
	LIMITER_SITE_CREATIONS, /* the same, of 48 bits of IPv6 */
	LIMITER_KIND_COUNT,
};

struct limiter;

/* NULL if the system gives no random bytes. */
struct limiter *limiter_open(void);

/* Does nothing for NULL. */
void limiter_close(struct limiter *limiter);

/* Count a request.  False, and not counted, if the quota is used up. */
MUST_CHECK bool limiter_take(struct limiter *limiter, const struct quota *quota,
                             const uint8_t *caller, size_t caller_len,
                             uint64_t now_ns, struct quota_left *left);

/*
 * Count a number of requests, even beyond the quota; then limiter_take()
 * refuses requests until the excess is refilled.
 */
struct quota_left limiter_charge(struct limiter *limiter,
                                 const struct quota *quota,
                                 const uint8_t *caller, size_t caller_len,
                                 uint64_t now_ns, unsigned requests);

/*
 * Count a thing of a kind; cap 0: no cap.  Returns the number of things, with
 * this one; or 0, and it is not counted, if the cap is reached.
 */
MUST_CHECK unsigned limiter_enter(struct limiter *limiter,
                                  enum limiter_kind kind, unsigned cap,
                                  const uint8_t *caller, size_t caller_len);

/* Undo one limiter_enter() that did not return 0. */
void limiter_leave(struct limiter *limiter, enum limiter_kind kind,
                   const uint8_t *caller, size_t caller_len);
