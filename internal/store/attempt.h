/*
 * attempt.h - one attempt to make a connection that is ready for statements.
 */
#pragma once

#include <stdbool.h>

#include <libpq-fe.h>

#include "store/schema.h"

enum attempt_trouble {
	ATTEMPT_GOOD,
	ATTEMPT_AWAY,      /* no server, or a connection was lost */
	ATTEMPT_SCHEMA,    /* its schema is not this program's */
	ATTEMPT_SET_UP,    /* it refuses to prepare a statement */
	ATTEMPT_FUNCTIONS, /* it cannot run our functions */
	ATTEMPT_POOLER,    /* a pooler loses prepared statements */
};

/* For all attempts of a store. */
struct attempt_plan {
	const char *url;  /* borrowed */
	unsigned lock_ms; /* the longest wait of a statement for a lock */
	bool is_spread;   /* over servers, and planned as the server chooses */
	int stop_fd;      /* readable: give up */
};

struct attempt {
	PGconn *pg; /* the caller's; NULL: none was made */
	/* Before: the host to try first, without a name: none.  Afterwards: the
	 * host of pg, without a name if the connection string has only one. */
	struct schema_host host;
	enum attempt_trouble trouble;
	char reason[SCHEMA_REASON_MAX];
};

/*
 * Connect, compare the schema, prepare every statement and call a function, on
 * the first of the hosts that lets this be done.  Waits for some seconds for
 * each host.
 */
void attempt_run(const struct attempt_plan *plan, struct attempt *attempt);
