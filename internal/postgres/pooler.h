/*
 * pooler.h - is there a pooler such as PgBouncer between this program and the
 * server, and do prepared statements outlive a transaction?
 */
#pragma once

#include <libpq-fe.h>

#include "postgres/schema.h"

enum pooler_finding {
	POOLER_NONE,    /* the connection leads to the server itself */
	POOLER_FIT,     /* prepared statements are always there */
	POOLER_UNFIT,   /* they are missing in other transactions */
	POOLER_UNKNOWN, /* no answer in time */
};

#define POOLER_ADVICE                                                       \
	"a pooler gives each transaction another session, which lacks the " \
	"prepared statements; set PgBouncer's pool_mode = session, or let " \
	"PgBouncer 1.21 or later have max_prepared_statements"

/*
 * Look at a new connection, which is not in pipeline mode.  Behind a pooler
 * this takes another connection to the same place, by url and host (NULL: the
 * url has one), and up to some seconds; stop_fd as in pg_wait().
 */
enum pooler_finding pooler_look(PGconn *pg, const char *url,
                                const struct schema_host *host, int stop_fd);
