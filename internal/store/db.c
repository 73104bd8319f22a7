#include "store/db.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "store/connector.h"
#include "store/schema.h"

enum {
	READS_MAX = 16,       /* that share a sync */
	MOVES_MAX = 8,        /* that share a sync, and so a commit */
	LOCK_PERCENT = 40,    /* of a deadline: twice leaves some of it */
	STARVED_PERCENT = 10, /* of one: a loop that runs is not so late */
	MAILBOX = UINT8_MAX   /* among the sockets of the connections */
};

struct connection {
	PGconn *pg;                  /* NULL while a new one is being made */
	struct statement_queue sent; /* in the order of their answers */
	uint64_t due_ns;             /* the first deadline of those */
	bool is_renewed;             /* that one, since they were sent */
	struct statement *answered;  /* whose results come now; in sent */
	bool is_dirty;               /* has something to flush */
	bool is_full;                /* waits until the socket takes more */
};

struct store {
	struct store_config config;
	int epoll_fd;
	struct connector *connector;
	struct connection connections[CONNECTOR_MAX];
	unsigned up;            /* connections that are there */
	uint64_t down_since_ns; /* if none is */
	/* Not sent yet, each queue in the order of the deadlines. */
	struct statement_queue queued[STATEMENT_KINDS];
	struct statement_queue lost; /* to be told in the next store_run() */
	unsigned sharers;            /* of all statements */
	uint64_t next_last_ns;       /* of the statement that is queued next */
	struct statement_pool pool;
};

/* --- statements ----------------------------------------------------------- */

struct statement *db_take(struct store *store, const struct query *query,
                          struct arena *arena, store_fn done, void *arg)
{
	struct statement *statement = statement_take(&store->pool, query);

	statement->arena = arena;
	statement->done = done;
	statement->arg = arg;
	return statement;
}

static void finish(struct store *store, struct statement *statement,
                   enum store_result result)
{
	struct statement *sharer;

	statement_answer(statement, result, statement->res);
	while ((sharer = statement->sharers)) {
		statement->sharers = sharer->behind;
		store->sharers--;
		statement_answer(sharer, result, statement->res);
		statement_give_back(&store->pool, sharer);
	}
	statement_give_back(&store->pool, statement);
}

/*
 * Those who wait for a game ask all at once when it has moved on.  The last in
 * the queue has not been sent, so its answer is new enough.
 */
static bool is_shared(struct store *store, struct statement *statement)
{
	struct statement *last = store->queued[statement->kind].tail;

	if (!statement->query->may_share || !last ||
	    last->query != statement->query ||
	    !params_equal(&last->params, &statement->params))
		return false;
	statement->behind = last->sharers;
	last->sharers = statement;
	store->sharers++;
	return true;
}

static unsigned count_all(const struct store *store)
{
	unsigned count = store->lost.count + store->sharers;

	for (unsigned kind = 0; kind < STATEMENT_KINDS; kind++)
		count += store->queued[kind].count;
	for (unsigned i = 0; i < store->config.connections; i++)
		count += store->connections[i].sent.count;
	return count;
}

unsigned store_room(const struct store *store)
{
	unsigned count = count_all(store);

	return count < STORE_QUEUE_MAX ? STORE_QUEUE_MAX - count : 0;
}

static uint64_t deadline_ns(const struct store *store)
{
	return store->config.deadline_ms * CLOCK_NS_PER_MS;
}

void store_limit_next(struct store *store, uint64_t last_ns)
{
	store->next_last_ns = last_ns;
}

void db_queue(struct store *store, struct statement *statement)
{
	struct statement_queue *queue = &store->queued[statement->kind];

	statement->deadline_ns = clock_monotonic_ns() + deadline_ns(store);
	statement->last_ns = store->next_last_ns;
	store->next_last_ns = UINT64_MAX;
	if (statement->deadline_ns > statement->last_ns)
		statement->deadline_ns = statement->last_ns;
	if (store_room(store) == 0)
		statement_push(&store->lost, statement);
	else if (is_shared(store, statement))
		return;
	else if (queue->tail &&
	         queue->tail->deadline_ns > statement->deadline_ns)
		statement_insert(queue, statement);
	else
		statement_push(queue, statement);
}

/* --- connections ---------------------------------------------------------- */

static void watch(const struct store *store,
                  const struct connection *connection, int operation)
{
	struct epoll_event event = { .events = EPOLLIN };

	if (connection->is_full)
		event.events |= EPOLLOUT;
	event.data.u32 = (uint32_t)(connection - store->connections);
	int res = epoll_ctl(store->epoll_fd, operation,
	                    PQsocket(connection->pg), &event);
	assert(res == 0);
	(void)res;
}

/*
 * Give a connection up: what was sent on it has an unknown outcome.  Those
 * who asked are told later, since this may be called from anywhere.
 */
static void lose(struct store *store, struct connection *connection,
                 const char *reason, const char *detail)
{
	char text[SCHEMA_NAME_MAX + 64];
	struct statement *statement;

	while ((statement = statement_pop(&connection->sent)))
		statement_push(&store->lost, statement);
	epoll_ctl(store->epoll_fd, EPOLL_CTL_DEL, PQsocket(connection->pg),
	          NULL);
	PQfinish(connection->pg);
	*connection = (struct connection){ .pg = NULL };
	if (--store->up == 0)
		store->down_since_ns = clock_monotonic_ns();
	(void)snprintf(text, sizeof(text), "%s%s%s", reason,
	               detail[0] ? ": " : "", detail);
	connector_replace(store->connector, text);
}

static void take_mail(struct store *store)
{
	PGconn *pg;

	while ((pg = connector_take(store->connector))) {
		struct connection *connection = store->connections;

		while (connection->pg)
			connection++;
		assert(connection <
		       store->connections + store->config.connections);
		connection->pg = pg;
		store->up++;
		watch(store, connection, EPOLL_CTL_ADD);
	}
}

/* --- answers -------------------------------------------------------------- */

/* The server is going away, or is one that takes no writes any more. */
static bool state_is_loss(const char *state)
{
	static const char *const states[] = { "57P01", "57P02", "57P03",
		                              "25006" };

	for (size_t i = 0; i < ARRAY_LEN(states); i++) {
		if (strcmp(state, states[i]) == 0)
			return true;
	}
	return strncmp(state, "08", 2) == 0;
}

/* Cancelled, out of time or resources, or the system failed: for now. */
static bool state_is_passing(const char *state)
{
	return strncmp(state, "53", 2) == 0 || strncmp(state, "58", 2) == 0 ||
	       strcmp(state, "57014") == 0 || strcmp(state, "55P03") == 0;
}

/* What the answer to a statement means. */
static enum store_result judge(const struct statement *statement)
{
	const char *state = "none";

	if (PQresultStatus(statement->res) == PGRES_TUPLES_OK)
		return STORE_OK;
	if (PQresultErrorField(statement->res, PG_DIAG_SQLSTATE))
		state = PQresultErrorField(statement->res, PG_DIAG_SQLSTATE);
	/* Two transactions in each other's way: trying again helps. */
	if (strcmp(state, "40001") == 0 || strcmp(state, "40P01") == 0)
		return STORE_UNAVAILABLE;
	LOG(LOG_ERROR, "statement_refused",
	    LOG_TEXT("statement", statement->query->name),
	    LOG_TEXT("sqlstate", state));
	/* The operator's or the system's doing, not the statement's. */
	return state_is_passing(state) ? STORE_UNAVAILABLE : STORE_BROKEN;
}

/* True if no statement before the sync that has come was refused. */
static bool all_succeeded(const struct connection *connection)
{
	const struct statement *statement = connection->sent.head;

	for (;; statement = statement->behind) {
		if (PQresultStatus(statement->res) != PGRES_TUPLES_OK)
			return false;
		if (statement->has_sync)
			return true;
	}
}

static unsigned lock_ms(const struct store *store)
{
	return store->config.deadline_ms * LOCK_PERCENT / 100;
}

/* It gave up waiting for a lock, but has time to wait for it once more. */
static bool is_locked_out(const struct store *store,
                          const struct statement *statement)
{
	const char *state =
		PQresultErrorField(statement->res, PG_DIAG_SQLSTATE);

	return state && strcmp(state, "55P03") == 0 &&
	       clock_monotonic_ns() + lock_ms(store) * CLOCK_NS_PER_MS <=
	               statement->deadline_ns;
}

/*
 * It was rolled back with others, or locked out: once more, but alone, and
 * before those that have more time left.
 */
static void ask_again(struct store *store, struct statement *statement)
{
	PQclear(statement->res);
	statement->res = NULL;
	statement->has_sync = false;
	statement->kind = STATEMENT_ALONE;
	statement_insert(&store->queued[STATEMENT_ALONE], statement);
}

/*
 * The sync behind statements has come: all of them are committed, or all are
 * rolled back because one failed, or their commit.  Whose fault that was shows
 * when each is alone.
 */
static void finish_synced(struct store *store, struct connection *connection)
{
	bool was_alone = connection->sent.head->has_sync;
	bool is_final = was_alone || all_succeeded(connection);
	bool was_last;

	do {
		struct statement *statement = statement_pop(&connection->sent);
		assert(statement); /* the caller has looked */
		was_last = statement->has_sync;
		if (is_final && !is_locked_out(store, statement))
			finish(store, statement, judge(statement));
		else
			ask_again(store, statement);
	} while (!was_last);
	connection->answered = connection->sent.head;
}

/* True if the answer says that there will be no more of them. */
static bool answer_is_loss(const PGresult *res)
{
	const char *state = PQresultErrorField(res, PG_DIAG_SQLSTATE);

	return PQresultStatus(res) == PGRES_FATAL_ERROR &&
	       (!state || state_is_loss(state));
}

/* Take one piece of what the connection has; it may be lost by that. */
static void read_answer(struct store *store, struct connection *connection)
{
	PGresult *res = PQgetResult(connection->pg);

	if (!res) {
		/* The end of one statement's results; more comes behind it. */
		if (PQstatus(connection->pg) != CONNECTION_OK)
			lose(store, connection, "a connection broke", "");
		else if (connection->answered->res &&
		         !connection->answered->has_sync)
			connection->answered = connection->answered->behind;
		return;
	}
	if (PQresultStatus(res) == PGRES_PIPELINE_SYNC) {
		PQclear(res);
		finish_synced(store, connection);
		return;
	}
	if (answer_is_loss(res)) {
		const char *state = PQresultErrorField(res, PG_DIAG_SQLSTATE);

		lose(store, connection, "the server ended a connection",
		     state ? state : "");
		PQclear(res);
		return;
	}
	PQclear(connection->answered->res);
	connection->answered->res = res;
}

static void read_connection(struct store *store, struct connection *connection)
{
	bool good = PQconsumeInput(connection->pg) == 1;

	/* Even after a failure there may be answers that came before it. */
	while (connection->pg && connection->sent.head &&
	       !PQisBusy(connection->pg))
		read_answer(store, connection);
	if (connection->pg && !good)
		lose(store, connection, "a connection broke", "");
}

/* --- sending -------------------------------------------------------------- */

static void flush(struct store *store, struct connection *connection)
{
	int more = PQflush(connection->pg);

	connection->is_dirty = false;
	if (more < 0 || PQstatus(connection->pg) != CONNECTION_OK) {
		lose(store, connection, "a connection broke", "");
	} else if (connection->is_full != (more > 0)) {
		connection->is_full = more > 0;
		watch(store, connection, EPOLL_CTL_MOD);
	}
}

/* A connection that has nothing to do, or NULL. */
static struct connection *idle(struct store *store)
{
	for (unsigned i = 0; i < store->config.connections; i++) {
		struct connection *connection = &store->connections[i];

		if (connection->pg && !connection->sent.head)
			return connection;
	}
	return NULL;
}

/* Of the statements in the queues the one that has waited longest, or NULL. */
static const struct statement *oldest(const struct store *store)
{
	const struct statement *found = NULL;

	for (unsigned kind = 0; kind < STATEMENT_KINDS; kind++) {
		const struct statement *head = store->queued[kind].head;

		if (head && (!found || head->deadline_ns < found->deadline_ns))
			found = head;
	}
	return found;
}

static bool send_one(struct connection *connection, struct statement *statement)
{
	struct params_list list;

	params_list(&statement->params, &list);
	statement->was_sent = true;
	statement_push(&connection->sent, statement);
	return PQsendQueryPrepared(connection->pg, statement->query->name,
	                           (int)statement->params.count, list.values,
	                           statement->params.lens, list.formats,
	                           1) == 1;
}

/*
 * Take some of a queue, in the order of their games: two transactions that
 * change the same games then wait for each other in one direction only.
 */
static size_t take_some(struct statement_queue *queue, struct statement **list)
{
	static const size_t most[STATEMENT_KINDS] = {
		[STATEMENT_ALONE] = 1,
		[STATEMENT_READ] = READS_MAX,
		[STATEMENT_COMMIT] = MOVES_MAX,
	};
	size_t max = most[queue->head->kind];
	size_t count = 0;
	struct statement *statement;

	while (count < max && (statement = statement_pop(queue))) {
		size_t at = count++;

		while (at > 0 && memcmp(&list[at - 1]->id, &statement->id,
		                        sizeof(statement->id)) > 0) {
			list[at] = list[at - 1];
			at--;
		}
		list[at] = statement;
	}
	return count;
}

/*
 * Statements of a kind go to a connection together, with one sync: it is sent,
 * read, carried out, committed and answered in one go, where each alone would
 * cost either side its system calls and the server a transaction and a flush
 * of its log.
 */
static void send_some(struct store *store, struct connection *connection,
                      struct statement_queue *queue)
{
	struct statement *list[READS_MAX];
	bool good = true;

	_Static_assert(MOVES_MAX <= READS_MAX, "they fit the list");
	connection->due_ns = queue->head->deadline_ns;
	connection->is_renewed = false;
	size_t count = take_some(queue, list);
	assert(count > 0); /* the caller has looked */
	list[count - 1]->has_sync = true;
	for (size_t i = 0; i < count; i++)
		good = send_one(connection, list[i]) && good;
	connection->answered = connection->sent.head;
	connection->is_dirty = true;
	if (!good || !PQpipelineSync(connection->pg))
		lose(store, connection, "cannot send", list[0]->query->name);
}

/*
 * What finds no idle connection waits for the first that is: by then there is
 * more to go with it, and behind others it would only wait for their commits.
 */
void store_flush(struct store *store)
{
	const struct statement *next;
	struct connection *connection;

	while ((next = oldest(store)) && (connection = idle(store)))
		send_some(store, connection, &store->queued[next->kind]);
	for (unsigned i = 0; i < store->config.connections; i++) {
		if (store->connections[i].is_dirty)
			flush(store, &store->connections[i]);
	}
}

/* --- time ----------------------------------------------------------------- */

/* When to stop waiting for a connection, if none is up until then. */
static uint64_t hopeless_ns(const struct store *store)
{
	return store->down_since_ns + deadline_ns(store);
}

static bool head_is_late(const struct statement_queue *queue, uint64_t now_ns)
{
	return queue->head && queue->head->deadline_ns <= now_ns;
}

/* It was the loop that came late: one that runs comes when it is to. */
static bool was_starved(const struct store *store, uint64_t due_ns,
                        uint64_t now_ns)
{
	return now_ns - due_ns > deadline_ns(store) * STARVED_PERCENT / 100;
}

/*
 * A statement that was never sent has done nothing, so it need not be refused:
 * perhaps the loop was not run in time, or all connections were busy.  It is
 * given another deadline, once, within what its request may take; but all of it
 * if it was the loop that came late.
 */
static bool is_renewed(const struct store *store, struct statement *statement,
                       uint64_t now_ns)
{
	uint64_t next_ns = now_ns + deadline_ns(store);

	if (next_ns > statement->last_ns &&
	    !was_starved(store, statement->deadline_ns, now_ns))
		next_ns = statement->last_ns;
	if (statement->was_sent || statement->is_renewed || next_ns <= now_ns)
		return false;
	statement->is_renewed = true;
	statement->deadline_ns = next_ns;
	return true;
}

/* Those of a queue that have waited too long to be sent. */
static void fire_queued(struct store *store, struct statement_queue *queue,
                        bool hopeless, uint64_t now_ns)
{
	struct statement *statement;

	while ((head_is_late(queue, now_ns) || hopeless) &&
	       (statement = statement_pop(queue))) {
		if (!hopeless && is_renewed(store, statement, now_ns))
			statement_insert(queue, statement);
		else
			statement_push(&store->lost, statement);
	}
}

static bool is_due(const struct connection *connection, uint64_t now_ns)
{
	return connection->sent.head && connection->due_ns <= now_ns;
}

/*
 * True if the connection gets another deadline, once: the loop may have been
 * kept from running just before it sent what was queued, so the server has had
 * no time to answer.
 */
static bool is_excused(const struct store *store, struct connection *connection,
                       uint64_t now_ns)
{
	if (connection->is_renewed ||
	    !was_starved(store, connection->due_ns, now_ns))
		return false;
	connection->is_renewed = true;
	connection->due_ns = now_ns + deadline_ns(store);
	return true;
}

static void fire_deadlines(struct store *store)
{
	uint64_t now_ns = clock_monotonic_ns();

	for (unsigned i = 0; i < store->config.connections; i++) {
		struct connection *connection = &store->connections[i];

		/* The answer may be there, if it is the loop that is late. */
		if (is_due(connection, now_ns))
			read_connection(store, connection);
		if (is_due(connection, now_ns) &&
		    !is_excused(store, connection, now_ns))
			lose(store, connection, "no answer in time",
			     connection->sent.head->query->name);
	}
	bool hopeless = store->up == 0 && hopeless_ns(store) <= now_ns;
	for (unsigned kind = 0; kind < STATEMENT_KINDS; kind++)
		fire_queued(store, &store->queued[kind], hopeless, now_ns);
}

uint64_t store_timeout_ns(const struct store *store)
{
	const struct statement *next = oldest(store);
	uint64_t first_ns = next ? next->deadline_ns : UINT64_MAX;
	uint64_t now_ns = clock_monotonic_ns();

	if (store->lost.head)
		return 0;
	if (next && store->up == 0 && hopeless_ns(store) < first_ns)
		first_ns = hopeless_ns(store);
	for (unsigned i = 0; i < store->config.connections; i++) {
		const struct connection *connection = &store->connections[i];

		if (connection->sent.head && connection->due_ns < first_ns)
			first_ns = connection->due_ns;
	}
	if (first_ns == UINT64_MAX)
		return UINT64_MAX;
	return first_ns > now_ns ? first_ns - now_ns : 0;
}

/* --- the store ------------------------------------------------------------ */

bool store_url_is_valid(const char *url)
{
	return schema_url_is_valid(url);
}

bool store_url_has_password(const char *url)
{
	return schema_url_has_password(url);
}

struct store *store_open(const struct store_config *config)
{
	struct store *store = xcalloc(1, sizeof(*store));
	struct epoll_event event = { .events = EPOLLIN, .data.u32 = MAILBOX };

	assert(config->connections > 0 && config->connections <= CONNECTOR_MAX);
	store->config = *config;
	store->down_since_ns = clock_monotonic_ns();
	store->next_last_ns = UINT64_MAX;
	store->connector = connector_open(config->url, config->connections,
	                                  lock_ms(store));
	store->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	assert(store->epoll_fd >= 0);
	int res = epoll_ctl(store->epoll_fd, EPOLL_CTL_ADD,
	                    connector_fd(store->connector), &event);
	assert(res == 0);
	(void)res;
	return store;
}

int store_fd(const struct store *store)
{
	return store->epoll_fd;
}

static void tell_lost(struct store *store)
{
	/* Those who are told may ask anew, and be lost again: next time. */
	struct statement_queue lost = store->lost;
	struct statement *statement;

	store->lost = (struct statement_queue){ .head = NULL };
	while ((statement = statement_pop(&lost)))
		finish(store, statement, STORE_UNAVAILABLE);
}

static void serve_event(struct store *store, const struct epoll_event *event)
{
	if (event->data.u32 == MAILBOX) {
		take_mail(store);
		return;
	}
	struct connection *connection = &store->connections[event->data.u32];
	if (connection->pg && event->events & EPOLLOUT)
		flush(store, connection);
	if (connection->pg && event->events & ~(uint32_t)EPOLLOUT)
		read_connection(store, connection);
}

void store_run(struct store *store)
{
	struct epoll_event events[CONNECTOR_MAX + 1];
	int count = epoll_wait(store->epoll_fd, events, ARRAY_LEN(events), 0);

	for (int i = 0; i < count; i++)
		serve_event(store, &events[i]);
	fire_deadlines(store);
	tell_lost(store);
}

bool store_is_ready(const struct store *store)
{
	return store->up > 0;
}

/* Whoever is told may ask once more, which is lost too. */
static void lose_all(struct store *store)
{
	struct statement *statement;

	do {
		for (unsigned kind = 0; kind < STATEMENT_KINDS; kind++) {
			while ((statement =
			                statement_pop(&store->queued[kind])))
				statement_push(&store->lost, statement);
		}
		statement = statement_pop(&store->lost);
		if (statement)
			finish(store, statement, STORE_UNAVAILABLE);
	} while (statement);
}

void store_close(struct store *store)
{
	struct statement *statement;

	if (!store)
		return;
	connector_close(store->connector);
	for (unsigned i = 0; i < store->config.connections; i++) {
		struct connection *connection = &store->connections[i];

		while ((statement = statement_pop(&connection->sent)))
			statement_push(&store->lost, statement);
		PQfinish(connection->pg);
	}
	lose_all(store);
	statement_pool_fini(&store->pool);
	close(store->epoll_fd);
	free(store);
}
