/*
 * loop.c - the threads of the service.  Each loop has its own HTTP server, its
 * own connections to the database, its own waiters and its own listening
 * socket; a request stays in the loop that accepted it.  The loops share the
 * cap on connections, the quotas, the time to stop, and their mailboxes.
 *
 * To stop, a loop first reports it (/readyz), then stops accepting connections,
 * then wakes its waiters, and ends when its requests are answered.
 */
#include "loop/loop.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/capacity.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/network.h"
#include "loop/bot_thread.h"
#include "loop/commit_reports.h"
#include "loop/context.h"
#include "loop/driver.h"
#include "loop/game_count.h"
#include "loop/mailbox.h"
#include "loop/metrics.h"
#include "loop/poll_versions.h"
#include "metric/metric.h"
#include "service/games.h"
#include "service/route_table.h"
#include "store/gather_pool.h"
#include "tracing/exporter.h"

enum {
	READY_MAX = 8,
	WOKEN_MAX = 512, /* statements that woken waiters may have queued */
};

_Static_assert((int)CAPACITY_LOOPS_MAX <= (int)GATHER_POOL_MAX,
               "each loop is a member");

/*
 * After a loop has stopped accepting, requests sent a moment before still
 * arrive.  Requests may last longer than the database's deadlines, so only a
 * client that does not read is cut off.
 */
static const uint64_t drain_least_ns = 50 * CLOCK_NS_PER_MS;
static const uint64_t drain_most_ns = 5000 * CLOCK_NS_PER_MS;
static const uint64_t drain_step_ns = 10 * CLOCK_NS_PER_MS;

static const uint64_t wait_most_ns = 60 * CLOCK_NS_PER_S;

struct loop {
	struct loops *all;
	pthread_t thread;
	int epoll_fd;
	struct http_server *server;
	struct context context;
	struct subscriptions_filter filter; /* games that are waited for here */
	struct mailbox mailbox;
	struct poll_versions poll;
	struct game_count *game_count; /* of the first loop, with metrics */
	bool has_waiters;              /* as the reports know it */
	bool quiesced;
	uint64_t quiesced_ns;
};

struct loops {
	/* When to stop accepting; UINT64_MAX: not yet. */
	_Atomic uint64_t stop_at_ns;
	unsigned count;
	unsigned clients_max;
	struct http_cap *cap; /* of clients' connections */
	struct quotas quotas;
	struct recent_games *recent_games;
	struct gather_pool *gather_pool;
	struct commit_reports *reports; /* NULL: without randomness */
	struct exporter *exporter;      /* NULL: no traces are sent */
	struct metrics *metrics;        /* NULL: off */
	struct bot_thread *bots;        /* NULL: off */
	struct loop each[CAPACITY_LOOPS_MAX];
};

/* --- between loops -------------------------------------------------------- */

/* The poll finds what has no room. */
static void put_mail(struct loop *loop, struct mail mail)
{
	if (!mailbox_put(&loop->mailbox, mail))
		commit_reports_doubt(loop->all->reports);
}

/*
 * Keep the game for its next move, report the commit, and send it to all loops
 * but one that may have a waiter of the game.
 */
static void note_commit(struct loops *all, const struct loop *from,
                        const struct committed *committed)
{
	recent_games_note(all->recent_games, committed);
	if (committed->is_in_doubt) {
		commit_reports_doubt(all->reports);
		return;
	}
	commit_reports_note(all->reports,
	                    (struct store_version){ committed->game,
	                                            committed->version });
	for (unsigned i = 0; i < all->count; i++) {
		struct loop *loop = &all->each[i];
		struct mail mail = {
			.version = { committed->game, committed->version },
		};

		if (loop == from ||
		    !subscriptions_filter_has(&loop->filter, committed->game))
			continue;
		if (committed->move)
			mail.handover = handover_make(committed);
		put_mail(loop, mail);
	}
}

static void on_committed(void *arg, const struct committed *committed)
{
	const struct loop *from = arg;

	note_commit(from->all, from, committed);
}

static void on_committed_by_bot(void *arg, const struct committed *committed)
{
	note_commit(arg, NULL, committed);
}

/* Another process has committed a change. */
static void on_reported(void *arg, struct store_version version)
{
	struct loops *all = arg;
	const struct mail mail = { .version = version };

	recent_games_passed(all->recent_games, version.id, version.version);
	for (unsigned i = 0; i < all->count; i++) {
		struct loop *loop = &all->each[i];

		if (subscriptions_filter_has(&loop->filter, version.id))
			put_mail(loop, mail);
	}
}

static void on_report_sooner(void *arg)
{
	struct loops *all = arg;

	mailbox_wake(&all->each[0].mailbox);
}

/* A loop without waiters needs no reports. */
static void note_waiters(struct loop *loop)
{
	bool waits = subscriptions_count(loop->context.subscriptions) > 0;

	if (waits == loop->has_waiters)
		return;
	loop->has_waiters = waits;
	commit_reports_set_waiting(loop->all->reports, waits);
}

static void take_mail(struct loop *loop)
{
	struct mail mails[MAILBOX_MAX];
	unsigned count = mailbox_take(&loop->mailbox, mails);
	struct context *context = &loop->context;

	for (unsigned i = 0; i < count; i++) {
		const struct store_version *version = &mails[i].version;

		if (mails[i].handover)
			handovers_add(&context->handovers, mails[i].handover);
		subscriptions_publish(context->subscriptions, version->id,
		                      version->version);
	}
}

/*
 * Every woken request loads its game and has memory for a view, so a crowd of
 * waiters is woken in parts.
 */
static size_t wakes_most(const struct loop *loop)
{
	const unsigned left_to_others = STORE_QUEUE_MAX - WOKEN_MAX;
	unsigned room = store_room(loop->context.store);

	return room > left_to_others ? room - left_to_others : 0;
}

/* --- one tick ------------------------------------------------------------- */

static uint64_t least(uint64_t one_ns, uint64_t other_ns)
{
	return one_ns < other_ns ? one_ns : other_ns;
}

static bool exchanges_reports(const struct loop *loop)
{
	return loop->all->reports && loop == &loop->all->each[0];
}

/* How long to wait at most. */
static int timeout_ms(const struct loop *loop)
{
	const struct context *context = &loop->context;
	uint64_t now_ns = clock_monotonic_ns();
	uint64_t due_ns = least(loop->all->stop_at_ns, now_ns + wait_most_ns);

	if (loop->quiesced) /* no event reports the end of the last request */
		due_ns = now_ns + drain_step_ns;
	if (wakes_most(loop) > 0)
		due_ns = least(due_ns,
		               subscriptions_due_ns(context->subscriptions));
	due_ns = least(due_ns, poll_versions_due_ns(&loop->poll));
	due_ns = least(due_ns, handovers_due_ns(&context->handovers));
	due_ns = least(due_ns, last_seen_due_ns(context->last_seen));
	if (exchanges_reports(loop))
		due_ns = least(due_ns,
		               commit_reports_due_ns(loop->all->reports));
	uint64_t wait_ns = due_ns > now_ns ? due_ns - now_ns : 0;
	wait_ns = least(wait_ns, http_server_timeout_ns(loop->server));
	wait_ns = least(wait_ns, store_timeout_ns(context->store));
	/* Rounded up: the rest of a millisecond would be spent spinning. */
	return (int)((wait_ns + CLOCK_NS_PER_MS - 1) / CLOCK_NS_PER_MS);
}

/* True once the loop has nothing left to do. */
static bool drain(struct loop *loop)
{
	struct context *context = &loop->context;
	uint64_t stop_ns = loop->all->stop_at_ns;

	if (stop_ns == UINT64_MAX)
		return false;
	if (!context->draining) {
		context->draining = true;
		http_server_drain(loop->server);
	}
	uint64_t now_ns = clock_monotonic_ns();
	if (now_ns < stop_ns)
		return false;
	if (!loop->quiesced) {
		/* Connections in the backlog are accepted for the last time. */
		http_server_run(loop->server);
		http_server_quiesce(loop->server);
		loop->quiesced = true;
		loop->quiesced_ns = now_ns;
		return false;
	}
	uint64_t since_ns = now_ns - loop->quiesced_ns;
	/*
	 * Not before every loop has stopped accepting: a client whose wait ends
	 * asks again at once, and another loop would accept it.
	 */
	if (since_ns >= drain_least_ns && !context->ending) {
		context->ending = true;
		subscriptions_wake_all(context->subscriptions);
	}
	bool is_idle = http_server_idle(loop->server) &&
	               !store_has_borrowed(context->store);
	return since_ns >= drain_most_ns ||
	       (since_ns >= drain_least_ns && is_idle);
}

/*
 * The store ends all statements, so that HTTP can answer their requests; what
 * still comes in is refused.  The mailbox stays: other loops may put into it.
 */
static void close_loop(struct loop *loop)
{
	struct context *context = &loop->context;

	context->closed = true;
	subscriptions_wake_all(context->subscriptions);
	subscriptions_run(context->subscriptions, SIZE_MAX);
	store_close(context->store);
	http_server_run(loop->server);
	http_server_close(loop->server);
	subscriptions_close(context->subscriptions);
	handovers_fini(&context->handovers);
	last_seen_close(context->last_seen);
	poll_versions_fini(&loop->poll);
	(void)close(loop->epoll_fd);
}

static void wait_for_anything(struct loop *loop)
{
	struct stall *stall = &loop->context.stall;
	struct epoll_event ready[READY_MAX];

	stall_tick(stall, 0);
	int most_ms = timeout_ms(loop);
	int count = epoll_wait(loop->epoll_fd, ready, READY_MAX, most_ms);
	assert(count >= 0 || errno == EINTR);
	stall_tick(stall, (unsigned)most_ms);
	for (int i = 0; i < count; i++) {
		if (ready[i].data.fd == loop->mailbox.wake_fd)
			take_mail(loop);
	}
}

static void *run(void *arg)
{
	struct loop *loop = arg;
	struct context *context = &loop->context;

	log_gather();
	metric_begin();
	while (!drain(loop)) {
		log_flush();
		wait_for_anything(loop);
		games_forget_views();
		/*
		 * Answers of the database first, then requests, with those
		 * answers and with new statements, which travel together.
		 */
		store_run(context->store);
		subscriptions_run(context->subscriptions, wakes_most(loop));
		handovers_forget(&context->handovers);
		http_server_run(loop->server);
		poll_versions_run(&loop->poll);
		note_waiters(loop);
		if (exchanges_reports(loop))
			commit_reports_run(loop->all->reports, context->store);
		recent_games_forget_old(loop->all->recent_games);
		game_count_run(loop->game_count, context->store);
		last_seen_flush(context->last_seen, context->store);
		store_flush(context->store);
	}
	/* At once: clients must not wait until the other loops end. */
	close_loop(loop);
	log_flush();
	return NULL;
}

/* --- opening and closing -------------------------------------------------- */

static bool add_to_epoll(const struct loop *loop, int fd)
{
	struct epoll_event event = { .events = EPOLLIN, .data.fd = fd };

	return epoll_ctl(loop->epoll_fd, EPOLL_CTL_ADD, fd, &event) == 0;
}

static void open_context(struct loop *loop, const struct settings *settings)
{
	struct loops *all = loop->all;
	struct store_config store = {
		.url = settings->database_url,
		.connections = capacity_database_connections(
			settings, all->count, (unsigned)(loop - all->each)),
		.for_reads = 1,
		.deadline_ms = settings->database_timeout_ms,
		.batch_max = settings->batch,
		.pool = all->gather_pool,
	};

	loop->context = (struct context){
		.store = store_open(&store),
		.subscriptions = subscriptions_open(&loop->filter),
		.last_seen = last_seen_open(),
		.quotas = &all->quotas,
		.recent_games = all->recent_games,
		.committed = on_committed,
		.arg = loop,
		.deadline_ns = settings->database_timeout_ms * CLOCK_NS_PER_MS,
		.tracer = exporter_tracer(all->exporter,
		                          (unsigned)(loop - all->each)),
		.service = {
			.has_docs = settings->docs,
			.has_table = settings->table,
			.push_key = settings->vapid_public_key,
			.push_hosts = settings->push_hosts,
			.has_webhook = settings->webhook_url[0] != '\0',
		},
	};
}

static bool open_loop(struct loop *loop, const struct settings *settings,
                      int listen_fd)
{
	struct http_config http = {
		.listen_fd = listen_fd,
		.cap = loop->all->cap,
		.on_request = driver_on_request,
		.on_refused = driver_on_refused,
		.on_gone = driver_on_gone,
		.on_connect = driver_on_connect,
		.on_disconnect = driver_on_disconnect,
		.on_beyond = driver_on_beyond,
		.arg = &loop->context,
		.cors_origins = settings->cors_origins,
		.trusted_proxies = settings->trusted_proxies,
	};

	http.routes = route_table(&http.routes_count);
	loop->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	memory_expect_descriptor(loop->epoll_fd);
	mailbox_open(&loop->mailbox);
	open_context(loop, settings);
	handovers_init(&loop->context.handovers);
	poll_versions_init(&loop->poll, loop->context.store,
	                   loop->context.subscriptions, loop->all->reports);
	loop->server = http_server_open(&http);
	return loop->server && add_to_epoll(loop, loop->mailbox.wake_fd) &&
	       add_to_epoll(loop, store_fd(loop->context.store)) &&
	       add_to_epoll(loop, http_server_fd(loop->server)) &&
	       add_to_epoll(loop, http_server_gone_fd(loop->server));
}

/* The kernel spreads connections over the sockets of one address. */
static int listen_again(int first_fd)
{
	struct arena arena;

	arena_init(&arena);
	int fd = http_listen(http_listen_name(first_fd, &arena), false);
	arena_fini(&arena);
	return fd;
}

/* Open everything before any loop starts: only this can fail. */
static bool open_all(struct loops *loops, const struct settings *settings,
                     int first_fd)
{
	for (unsigned i = 0; i < loops->count; i++) {
		loops->each[i].all = loops;
		int fd = i == 0 ? first_fd : listen_again(first_fd);
		if (fd < 0 || !open_loop(&loops->each[i], settings, fd))
			return false;
	}
	return true;
}

static void start_all(struct loops *loops)
{
	for (unsigned i = 0; i < loops->count; i++) {
		struct loop *loop = &loops->each[i];
		memory_expect_thread(
			pthread_create(&loop->thread, NULL, run, loop));
	}
}

static void start_metrics(struct loops *loops, const struct settings *settings,
                          int listen_fd)
{
	const struct metrics_config config = {
		.listen_fd = listen_fd,
		.clients_max = loops->clients_max,
		.database_connections =
			settings->database_connections +
			(settings->bots ? settings->bot_connections : 0),
		.mailbox = &loops->each[0].mailbox,
		.exporter = loops->exporter,
	};

	if (listen_fd < 0)
		return;
	loops->metrics = metrics_open(&config);
	loops->each[0].game_count = metrics_game_count(loops->metrics);
}

struct loops *loops_open(const struct settings *settings)
{
	if (!http_origins_are_valid(settings->cors_origins)) {
		setting_refuse("GANGD_CORS_ORIGINS", settings->cors_origins);
		return NULL;
	}
	if (!network_list_is_valid(settings->trusted_proxies)) {
		setting_refuse("GANGD_TRUSTED_PROXIES",
		               settings->trusted_proxies);
		return NULL;
	}
	if (!exporter_url_is_valid(settings->trace_url)) {
		setting_refuse("GANGD_TRACE_URL", NULL);
		return NULL;
	}
	int fd = http_listen_for("GANGD_LISTEN", settings->listen);
	int metrics_fd = -1;
	if (fd < 0)
		return NULL;
	if (settings->metrics_listen[0] &&
	    (metrics_fd = http_listen_for("GANGD_METRICS_LISTEN",
	                                  settings->metrics_listen)) < 0)
		return NULL;
	struct loops *loops = xcalloc(1, sizeof(*loops));
	loops->stop_at_ns = UINT64_MAX;
	loops->count = capacity_loops(settings);
	loops->clients_max = capacity_clients(
		settings, loops->count,
		HTTP_CAP_SPARE + loops->count * HTTP_CAP_SPARE_OF_SERVER);
	loops->cap = http_cap_open(loops->clients_max, loops->count);
	loops->recent_games = recent_games_open();
	loops->gather_pool = gather_pool_open();
	loops->reports =
		commit_reports_open(on_reported, on_report_sooner, loops);
	loops->exporter = exporter_open(settings->trace_url,
	                                settings->trace_one_in, loops->count);
	if (!quotas_open(&loops->quotas, settings) ||
	    !open_all(loops, settings, fd)) {
		/* Nothing is closed here: the process exits. */
		(void)fprintf(stderr, "cannot start: %s\n", strerror(errno));
		return NULL;
	}
	start_metrics(loops, settings, metrics_fd);

	struct arena arena;
	arena_init(&arena);
	LOG(LOG_INFO, "listening",
	    LOG_TEXT("address", http_listen_name(fd, &arena)),
	    LOG_INT("loops", loops->count));
	arena_fini(&arena);
	loops->bots = bot_thread_open(settings, on_committed_by_bot, loops);
	for (unsigned i = 0; i < loops->count; i++)
		loops->each[i].context.bots = loops->bots;
	start_all(loops);
	return loops;
}

void loops_drain(struct loops *loops, unsigned delay_ms)
{
	loops->stop_at_ns = clock_monotonic_ns() + delay_ms * CLOCK_NS_PER_MS;
	for (unsigned i = 0; i < loops->count; i++)
		mailbox_wake(&loops->each[i].mailbox);
}

void loops_close(struct loops *loops)
{
	bot_thread_stop(loops->bots);
	for (unsigned i = 0; i < loops->count; i++) {
		int res = pthread_join(loops->each[i].thread, NULL);
		assert(res == 0);
		(void)res;
	}
	bot_thread_close(loops->bots);
	metrics_close(loops->metrics);
	for (unsigned i = 0; i < loops->count; i++)
		mailbox_close(&loops->each[i].mailbox);
	commit_reports_close(loops->reports);
	recent_games_close(loops->recent_games);
	gather_pool_close(loops->gather_pool);
	exporter_close(loops->exporter);
	http_cap_close(loops->cap);
	quotas_close(&loops->quotas);
	free(loops);
}
