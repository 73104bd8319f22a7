/*
 * deadline.h - until when to wait, and what an event loop that is late is
 * given.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct deadline {
	uint64_t at_ns;     /* monotonic */
	uint64_t latest_ns; /* see deadline_renew() */
	bool is_renewed;
};

/* given_ns from now on, but no later than latest_ns. */
struct deadline deadline_make(uint64_t now_ns, uint64_t given_ns,
                              uint64_t latest_ns);

bool deadline_has_passed(const struct deadline *deadline, uint64_t now_ns);

/*
 * Renew a deadline that has passed, once: by given_ns, but no later than
 * latest_ns unless the loop was late.  False if that leaves no time.
 */
bool deadline_renew(struct deadline *deadline, uint64_t now_ns,
                    uint64_t given_ns);
