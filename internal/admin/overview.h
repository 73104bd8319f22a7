/*
 * overview.h - what gangctl top shows of the database.
 */
#pragma once

#include <stdint.h>

#include "base/macros.h"
#include "postgres/schema.h"

struct overview {
	uint64_t lobby;   /* games, 100,000 at most with those in play */
	uint64_t playing; /* games */
	uint64_t over;  /* games, as the server estimates since its last ANALYZE
	                 */
	uint64_t bytes; /* of the whole database */
	uint64_t connections; /* to it, without the one that asks */
	uint64_t connections_max;
};

/*
 * Connect by a valid connection string, ask, and disconnect; at most a few
 * seconds.  False if the database does not answer; then the reason says why,
 * without a password.
 */
MUST_CHECK bool overview_take(const char *url, struct overview *overview,
                              char reason[SCHEMA_REASON_MAX]);
