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

enum { ANSWER_MS = 2000, BINARY = 1 };

/*
 * Two questions: a server whose tables are spread over others does not join
 * these with statistics.
 */
static const char games_text[] =
	"WITH open AS (SELECT status FROM gangd.game"
	" WHERE status IN ('lobby', 'playing') LIMIT 100000)"
	" SELECT count(*) FILTER (WHERE status = 'lobby'),"
	" count(*) FILTER (WHERE status = 'playing') FROM open";

static const char server_text[] =
	"SELECT (SELECT greatest(reltuples, 0)::bigint FROM pg_class"
	"  WHERE oid = 'gangd.game'::regclass),"
	" pg_database_size(current_database()),"
	" (SELECT count(*) FROM pg_stat_activity"
	"  WHERE datname = current_database() AND pid <> pg_backend_pid()),"
	" current_setting('max_connections')::bigint";

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

static void read_games(struct row *row, struct overview *overview)
{
	overview->lobby = row_count(row);
	overview->playing = row_count(row);
}

static void read_server(struct row *row, struct overview *overview)
{
	uint64_t open = overview->lobby + overview->playing;
	uint64_t games = row_count(row);

	overview->over = games > open ? games - open : 0;
	overview->bytes = row_count(row);
	overview->connections = row_count(row);
	overview->connections_max = row_count(row);
}

/* Ask for one row; false, and the reason, if it does not come. */
static bool ask(PGconn *pg, const char *text,
                void (*read)(struct row *, struct overview *),
                struct overview *overview, char reason[SCHEMA_REASON_MAX])
{
	struct row row;
	bool good = false;
	bool is_there = PQsendQueryParams(pg, text, 0, NULL, NULL, NULL, NULL,
	                                  BINARY) == 1 &&
	                wait_for_answer(pg);
	PGresult *res = is_there ? PQgetResult(pg) : NULL;

	if (PQresultStatus(res) == PGRES_TUPLES_OK && PQntuples(res) == 1) {
		row_init(&row, res, 0);
		read(&row, overview);
		good = row_is_whole(&row);
	}
	if (!good)
		(void)snprintf(reason, SCHEMA_REASON_MAX, "%s",
		               is_there ? "it refused the question"
		                        : "it gave no answer in 2 seconds");
	PQclear(res);
	/* The end of the answer, after which there may be another question. */
	if (good && wait_for_answer(pg))
		PQclear(PQgetResult(pg));
	return good;
}

bool overview_take(const char *url, struct overview *overview,
                   char reason[SCHEMA_REASON_MAX])
{
	PGconn *pg = schema_connect(url, "gangctl", NULL, reason);

	if (!pg)
		return false;
	bool good = ask(pg, games_text, read_games, overview, reason) &&
	            ask(pg, server_text, read_server, overview, reason);
	PQfinish(pg);
	return good;
}
