/*
 * Nothing is kept between two calls.  The counts are bounded, as those of the
 * metrics are: open games by their index, the others by the server's estimate,
 * since counting them would read the whole table each second.
 */
#include "admin/overview.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>

#include <libpq-fe.h>

#include "base/clock.h"
#include "postgres/wire.h"

enum { ANSWER_MS = 2000, COLUMNS = 6, BINARY = 1 };

static const char text[] =
	"WITH open AS (SELECT status FROM gangd.game"
	" WHERE status IN ('lobby', 'playing') LIMIT 100000)"
	" SELECT count(*) FILTER (WHERE status = 'lobby'),"
	" count(*) FILTER (WHERE status = 'playing'),"
	" greatest((SELECT reltuples::bigint FROM pg_class"
	"           WHERE oid = 'gangd.game'::regclass) - count(*), 0),"
	" pg_database_size(current_database()),"
	" (SELECT count(*) FROM pg_stat_activity"
	"  WHERE datname = current_database() AND pid <> pg_backend_pid()),"
	" current_setting('max_connections')::bigint FROM open";

/* False if the answer is not there in time, or the connection is lost. */
static bool wait_for_answer(PGconn *pg)
{
	uint64_t end = clock_monotonic_ns() + ANSWER_MS * CLOCK_NS_PER_MS;

	while (PQisBusy(pg)) {
		struct pollfd fd = { .fd = PQsocket(pg), .events = POLLIN };
		uint64_t now = clock_monotonic_ns();

		if (now >= end)
			return false;
		(void)poll(&fd, 1, (int)((end - now) / CLOCK_NS_PER_MS) + 1);
		if (fd.revents && !PQconsumeInput(pg))
			return false;
	}
	return true;
}

static bool read_answer(const PGresult *res, struct overview *overview)
{
	struct row row;

	if (PQresultStatus(res) != PGRES_TUPLES_OK || PQntuples(res) != 1 ||
	    PQnfields(res) != COLUMNS)
		return false;
	row_init(&row, res, 0);
	overview->lobby = row_count(&row);
	overview->playing = row_count(&row);
	overview->over = row_count(&row);
	overview->bytes = row_count(&row);
	overview->connections = row_count(&row);
	overview->connections_max = row_count(&row);
	return row_is_whole(&row);
}

bool overview_take(const char *url, struct overview *overview,
                   char reason[SCHEMA_REASON_MAX])
{
	PGconn *pg = schema_connect(url, "gangctl", NULL, reason);

	if (!pg)
		return false;
	bool is_there = PQsendQueryParams(pg, text, 0, NULL, NULL, NULL, NULL,
	                                  BINARY) == 1 &&
	                wait_for_answer(pg);
	PGresult *res = is_there ? PQgetResult(pg) : NULL;
	bool good = read_answer(res, overview);
	if (!good)
		(void)snprintf(reason, SCHEMA_REASON_MAX, "%s",
		               is_there ? "it refused the question"
		                        : "it gave no answer in 2 seconds");
	PQclear(res);
	PQfinish(pg);
	return good;
}
