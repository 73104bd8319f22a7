/*
 * connector.c - the thread that makes a store's connections.
 *
 * "wanted" counts the connections that are still to be made, and the thread
 * works while it is not 0.  A connection is either wanted, in ready[], or with
 * the store; together they are always "all".  The lock guards this state, and
 * is never held while the thread waits for the database.  With several hosts,
 * the one that was last connected to ("last") is tried alone first, until a
 * connection to it is lost: after a silent host each would take two seconds.
 * The thread also looks at the other hosts when the store asks it to.  A
 * connection that it finds there is not one of "all" until the store gives up
 * another one for it.  ready[] has room for two, since the store takes what is
 * there before it asks again.  The log has a line only when the kind of trouble
 * changes.
 */
#include "store/connector.h"

#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "store/attempt.h"

enum { PAUSE_MIN_MS = 100, PAUSE_MAX_MS = 1000 };

struct connector {
	struct attempt_plan plan;
	unsigned all; /* connections of the store */
	int ready_fd; /* readable while ready[] may have one */
	pthread_t thread;

	pthread_mutex_t lock; /* over all below */
	pthread_cond_t changed;
	bool stopping;
	unsigned wanted; /* connections still to be made */
	bool looks_elsewhere;
	struct schema_host here; /* where not to look then */
	struct connector_ready ready[CONNECTOR_MAX + 2];
	unsigned ready_count;
	enum attempt_trouble logged; /* the last one in the log */
	struct schema_host last;     /* of several hosts; name[0] == 0: none */
};

static void note_trouble(struct connector *connector,
                         enum attempt_trouble trouble, const char *reason)
{
	static const char *const events[] = {
		[ATTEMPT_AWAY] = "database_unavailable",
		[ATTEMPT_SCHEMA] = "database_schema_unknown",
		[ATTEMPT_SET_UP] = "database_statement_refused",
		[ATTEMPT_FUNCTIONS] = "database_functions_fail",
		[ATTEMPT_POOLER] = "database_pooler_unfit",
	};

	if (connector->logged == trouble)
		return;
	connector->logged = trouble;
	LOG(LOG_WARNING, events[trouble], LOG_TEXT("reason", reason));
}

static void note_connected(struct connector *connector)
{
	connector->logged = ATTEMPT_GOOD;
	LOG(LOG_INFO, "database_connected",
	    LOG_INT("connections", connector->all));
}

/* --- the thread ----------------------------------------------------------- */

/* With the lock. */
static void deliver(struct connector *connector, const struct attempt *attempt,
                    bool is_elsewhere)
{
	assert(connector->ready_count < ARRAY_LEN(connector->ready));
	connector->ready[connector->ready_count++] =
		(struct connector_ready){ attempt->pg, attempt->proven_ns,
		                          is_elsewhere };
	(void)eventfd_write(connector->ready_fd, 1);
	if (is_elsewhere)
		return;
	connector->wanted--;
	if (connector->wanted == 0)
		note_connected(connector);
}

/* With the lock: sleep until that time, or until the store is closed. */
static void pause_until(struct connector *connector, uint64_t ns)
{
	struct timespec until = { .tv_sec = (time_t)(ns / CLOCK_NS_PER_S),
		                  .tv_nsec = (long)(ns % CLOCK_NS_PER_S) };
	int res = 0;

	while (!connector->stopping && res == 0)
		res = pthread_cond_timedwait(&connector->changed,
		                             &connector->lock, &until);
}

/* With the lock, except while it looks. */
static void look_elsewhere(struct connector *connector)
{
	struct attempt attempt = { .host = connector->here };

	pthread_mutex_unlock(&connector->lock);
	attempt_elsewhere(&connector->plan, &attempt);
	pthread_mutex_lock(&connector->lock);
	/* Take requests from meanwhile too: else nothing might be connected.
	 */
	connector->looks_elsewhere = false;
	if (!attempt.pg)
		return;
	connector->last = attempt.host;
	deliver(connector, &attempt, true);
}

/* With the lock, except while it tries. */
static void connect_all(struct connector *connector)
{
	uint64_t pause_ms = PAUSE_MIN_MS;

	while (!connector->stopping && connector->wanted > 0 &&
	       !connector->looks_elsewhere) {
		uint64_t began_ns = clock_monotonic_ns();
		struct attempt attempt = { .host = connector->last };

		pthread_mutex_unlock(&connector->lock);
		attempt_run(&connector->plan, &attempt);
		pthread_mutex_lock(&connector->lock);
		connector->last = attempt.host;
		if (attempt.pg) {
			deliver(connector, &attempt, false);
			pause_ms = PAUSE_MIN_MS;
			continue;
		}
		if (!connector->stopping)
			note_trouble(connector, attempt.trouble,
			             attempt.reason);
		pause_until(connector, began_ns + pause_ms * CLOCK_NS_PER_MS);
		pause_ms = pause_ms * 2 > PAUSE_MAX_MS ? PAUSE_MAX_MS
		                                       : pause_ms * 2;
	}
}

static void *run(void *arg)
{
	struct connector *connector = arg;

	pthread_mutex_lock(&connector->lock);
	while (!connector->stopping) {
		if (connector->looks_elsewhere)
			look_elsewhere(connector);
		else if (connector->wanted > 0)
			connect_all(connector);
		else
			pthread_cond_wait(&connector->changed,
			                  &connector->lock);
	}
	pthread_mutex_unlock(&connector->lock);
	return NULL;
}

/* --- for the store -------------------------------------------------------- */

static int open_eventfd(void)
{
	int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);

	memory_expect_descriptor(fd);
	return fd;
}

/* The process's signals are for other threads to take. */
static void start_thread(struct connector *connector)
{
	sigset_t all;
	sigset_t before;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int res = pthread_create(&connector->thread, NULL, run, connector);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	memory_expect_thread(res);
}

struct connector *connector_open(const char *url, unsigned wanted,
                                 unsigned lock_ms, bool is_spread)
{
	struct connector *connector = xcalloc(1, sizeof(*connector));
	pthread_condattr_t attr;

	assert(wanted > 0 && wanted <= CONNECTOR_MAX);
	connector->plan = (struct attempt_plan){ .url = url,
		                                 .lock_ms = lock_ms,
		                                 .is_spread = is_spread,
		                                 .stop_fd = open_eventfd() };
	connector->all = wanted;
	connector->wanted = wanted;
	connector->ready_fd = open_eventfd();
	pthread_mutex_init(&connector->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&connector->changed, &attr);
	pthread_condattr_destroy(&attr);
	start_thread(connector);
	return connector;
}

int connector_fd(const struct connector *connector)
{
	return connector->ready_fd;
}

bool connector_take(struct connector *connector, struct connector_ready *ready)
{
	eventfd_t count;

	pthread_mutex_lock(&connector->lock);
	bool has_one = connector->ready_count > 0;
	if (has_one)
		*ready = connector->ready[--connector->ready_count];
	if (connector->ready_count == 0)
		(void)eventfd_read(connector->ready_fd, &count);
	pthread_mutex_unlock(&connector->lock);
	return has_one;
}

void connector_look_elsewhere(struct connector *connector, const PGconn *here)
{
	struct schema_host host = { .address = "" };

	(void)snprintf(host.name, sizeof(host.name), "%s", PQhost(here));
	(void)snprintf(host.port, sizeof(host.port), "%s", PQport(here));
	pthread_mutex_lock(&connector->lock);
	connector->here = host;
	connector->looks_elsewhere = true;
	pthread_cond_signal(&connector->changed);
	pthread_mutex_unlock(&connector->lock);
}

void connector_replace(struct connector *connector, const PGconn *lost,
                       const char *reason)
{
	pthread_mutex_lock(&connector->lock);
	connector->wanted++;
	if (schema_is_host(&connector->last, lost))
		connector->last.name[0] = '\0';
	/* Else an attempt has found out more. */
	if (connector->logged == ATTEMPT_GOOD)
		note_trouble(connector, ATTEMPT_AWAY, reason);
	pthread_cond_signal(&connector->changed);
	pthread_mutex_unlock(&connector->lock);
}

void connector_close(struct connector *connector)
{
	pthread_mutex_lock(&connector->lock);
	connector->stopping = true;
	(void)eventfd_write(connector->plan.stop_fd, 1);
	pthread_cond_signal(&connector->changed);
	pthread_mutex_unlock(&connector->lock);
	pthread_join(connector->thread, NULL);

	for (unsigned i = 0; i < connector->ready_count; i++)
		PQfinish(connector->ready[i].pg);
	attempt_end(&connector->plan);
	close(connector->ready_fd);
	close(connector->plan.stop_fd);
	pthread_cond_destroy(&connector->changed);
	pthread_mutex_destroy(&connector->lock);
	free(connector);
}
