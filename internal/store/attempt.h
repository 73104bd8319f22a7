/*
 * attempt.h - one attempt to make a connection that is ready for statements.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <libpq-fe.h>

#include "postgres/schema.h"

enum attempt_trouble {
	ATTEMPT_GOOD,
	ATTEMPT_AWAY,      /* no server, or the connection was lost */
	ATTEMPT_SCHEMA,    /* its schema is not this program's */
	ATTEMPT_SET_UP,    /* it refuses to prepare a statement */
	ATTEMPT_FUNCTIONS, /* it cannot run our functions */
	ATTEMPT_POOLER,    /* a pooler loses prepared statements */
};

/* A connection whose commit is not acknowledged yet, by host. */
struct attempt_unproven {
	PGconn *pg;       /* NULL: there is none */
	uint64_t sent_ns; /* the commit */
};

/* For all attempts of a store. */
struct attempt_plan {
	const char *url;  /* borrowed */
	unsigned lock_ms; /* the longest wait of a statement for a lock */
	bool is_spread;   /* tables over servers: leave plans to the server */
	int stop_fd;      /* readable: give up */

	/* Kept from one attempt to the next; zeroed at first. */
	struct attempt_unproven unproven[SCHEMA_HOSTS_MAX];
	struct schema_host hosts[SCHEMA_HOSTS_MAX]; /* all, once known */
	unsigned hosts_count;
};

struct attempt {
	PGconn *pg; /* the caller's; NULL: no connection was made */
	/* In: the host to try first, or no name.  Out: the host of pg, without
	 * a name if the connection string has only one. */
	struct schema_host host;
	uint64_t proven_ns; /* of pg: when its commit was sent; 0: one host */
	enum attempt_trouble trouble;
	char reason[SCHEMA_REASON_MAX];
};

/*
 * Connect, compare the schema, prepare every statement and call a function, on
 * the first of the hosts that lets this be done.  Waits for some seconds for
 * each host.
 *
 * If the connection string has several hosts, the host must acknowledge a
 * commit too.  A connection whose commit is not acknowledged is kept in
 * unproven, since its session stays at the server; its host gets no second one
 * until it breaks, or another host is found to be the primary.
 */
void attempt_run(struct attempt_plan *plan, struct attempt *attempt);

/* The same on the first of the hosts other than the attempt's. */
void attempt_elsewhere(struct attempt_plan *plan, struct attempt *attempt);

/* Close what is kept. */
void attempt_end(struct attempt_plan *plan);
