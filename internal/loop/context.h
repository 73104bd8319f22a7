/*
 * context.h - what all requests of one event loop share.
 *
 * The loop owns it and what it points to; requests borrow it.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "live/subscriptions.h"
#include "loop/handover.h"
#include "loop/last_seen.h"
#include "loop/recent_games.h"
#include "loop/stall.h"
#include "service/call.h"
#include "service/quotas.h"
#include "store/store.h"
#include "tracing/tracer.h"

/* Called with each change that was committed. */
typedef void (*context_committed_fn)(void *arg,
                                     const struct committed *committed);

struct bot_thread;

struct context {
	struct store *store;
	struct subscriptions *subscriptions;
	struct handovers handovers;        /* for the waiters of the loop */
	struct recent_games *recent_games; /* of all loops */
	struct last_seen *last_seen;
	const struct quotas *quotas;
	context_committed_fn committed;
	void *arg;               /* of committed */
	struct bot_thread *bots; /* NULL: this daemon plays for no bots */
	uint64_t deadline_ns;    /* of a statement of the store */
	struct stall stall;
	struct tracer *tracer; /* NULL: no request is sampled */
	struct service_config service;
	bool draining; /* /readyz says so */
	bool ending;   /* requests may no longer wait */
	bool closed;   /* the store is gone: refuse everything */
};
