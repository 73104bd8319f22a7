#include "loop/loop.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "http/http.h"
#include "live/subscriptions.h"
#include "loop/driver.h"
#include "loop/last_seen.h"
#include "service/call.h"
#include "service/quotas.h"
#include "store/store.h"

enum {
	READY_MAX = 8,
	MAIL_MAX = 1024,
	LOOK_MS = 100,   /* how often to look for what other replicas kept */
	LOOK_MAX = 4096, /* games at once */
	WOKEN_MAX = 512, /* statements of those who wake */
	LOOPS_MAX = 64,
	FILES_OF_PROCESS = 16,
	FILES_OF_LOOP = 16 /* epoll, events, listening, connecting */
};

/*
 * Once nothing is accepted any more, what was sent a moment before is still
 * taken; and requests may last longer than the database's deadlines, so only
 * a client that does not read is cut off.
 */
static const uint64_t drain_least_ns = 50 * CLOCK_NS_PER_MS;
static const uint64_t drain_most_ns = 5000 * CLOCK_NS_PER_MS;

/* What other loops tell of: moves that were kept there. */
struct mailbox {
	pthread_mutex_t lock;
	unsigned count; /* what finds no room is found by looking */
	struct store_version moves[MAIL_MAX];
};

struct loop {
	struct loops *all;
	pthread_t thread;
	int epoll_fd;
	int wake_fd; /* an eventfd: look at what the others want */
	struct store *store;
	struct http_server *server;
	struct subscriptions *live;
	struct last_seen *presence;
	struct driver driver;
	struct subscriptions_filter
		watched; /* games that somebody here waits for */
	struct mailbox mailbox;
	struct arena look_arena; /* of the question that follows */
	bool looking;            /* the database is asked what has moved */
	uint64_t look_ns;        /* when to ask it next */
	bool quiesced;
	uint64_t quiesced_ns;
};

struct loops {
	/* When nothing is to be accepted any more; UINT64_MAX: not yet. */
	_Atomic uint64_t stop_at_ns;
	unsigned count;
	struct http_cap *cap; /* of clients' connections */
	struct quotas limited;
	struct loop each[LOOPS_MAX];
};

/* --- who waits ------------------------------------------------------------ */

/* Tell the other loops of a move, where somebody may wait for it. */
static void on_moved(void *arg, struct uuid game, uint32_t version)
{
	struct loop *from = arg;
	uint64_t one = 1;

	for (unsigned i = 0; i < from->all->count; i++) {
		struct loop *loop = &from->all->each[i];
		bool was_empty = false;

		if (loop == from ||
		    !subscriptions_filter_has(&loop->watched, game))
			continue;
		pthread_mutex_lock(&loop->mailbox.lock);
		if (loop->mailbox.count < MAIL_MAX) {
			was_empty = loop->mailbox.count == 0;
			loop->mailbox.moves[loop->mailbox.count++] =
				(struct store_version){ game, version };
		}
		pthread_mutex_unlock(&loop->mailbox.lock);
		if (was_empty) {
			ssize_t put = write(loop->wake_fd, &one, sizeof(one));
			(void)put;
		}
	}
}

static void take_mail(struct loop *loop)
{
	struct store_version moves[MAIL_MAX];

	pthread_mutex_lock(&loop->mailbox.lock);
	unsigned count = loop->mailbox.count;
	memcpy(moves, loop->mailbox.moves, count * sizeof(*moves));
	loop->mailbox.count = 0;
	pthread_mutex_unlock(&loop->mailbox.lock);
	for (unsigned i = 0; i < count; i++)
		subscriptions_publish(loop->live, moves[i].id,
		                      moves[i].version);
}

static void on_looked(void *arg, const struct store_answer *answer)
{
	struct loop *loop = arg;

	for (size_t i = 0; answer->result == STORE_OK && i < answer->count; i++)
		subscriptions_publish(loop->live, answer->versions[i].id,
		                      answer->versions[i].version);
	arena_reset(&loop->look_arena);
	loop->looking = false;
}

/* Which games have moved by other replicas' doing?  Only while somebody waits.
 */
static void look(struct loop *loop)
{
	uint64_t now_ns = clock_monotonic_ns();
	size_t most = subscriptions_count(loop->live);
	struct uuid *games;
	uint32_t *versions;
	struct store_version *seen;

	if (most == 0 || loop->looking || now_ns < loop->look_ns)
		return;
	if (most > LOOK_MAX)
		most = LOOK_MAX;
	loop->look_ns = now_ns + LOOK_MS * CLOCK_NS_PER_MS;
	games = arena_alloc(&loop->look_arena, most * sizeof(*games));
	versions = arena_alloc(&loop->look_arena, most * sizeof(*versions));
	seen = arena_alloc(&loop->look_arena, most * sizeof(*seen));
	size_t count = subscriptions_list(loop->live, games, versions, most);
	if (count == 0) {
		arena_reset(&loop->look_arena);
		return;
	}
	for (size_t i = 0; i < count; i++)
		seen[i] = (struct store_version){ games[i], versions[i] };
	loop->looking = true;
	store_poll_versions(loop->store, seen, count, &loop->look_arena,
	                    on_looked, loop);
}

static uint64_t look_timeout_ns(const struct loop *loop)
{
	uint64_t now_ns;

	if (!subscriptions_count(loop->live) || loop->looking)
		return UINT64_MAX;
	now_ns = clock_monotonic_ns();
	return loop->look_ns > now_ns ? loop->look_ns - now_ns : 0;
}

/*
 * Each who wakes loads a game and has memory for a view: a crowd does so one
 * part after the other.
 */
static size_t wakes_most(const struct loop *loop)
{
	const unsigned left_to_others = STORE_QUEUE_MAX - WOKEN_MAX;
	unsigned room = store_room(loop->store);

	return room > left_to_others ? room - left_to_others : 0;
}

/* --- one tick ------------------------------------------------------------ */

static int timeout_ms(const struct loop *loop)
{
	uint64_t wait_ns = http_server_timeout_ns(loop->server);
	uint64_t store_ns = store_timeout_ns(loop->store);
	uint64_t stop_ns = loop->all->stop_at_ns;

	uint64_t live_ns = subscriptions_timeout_ns(loop->live);
	uint64_t look_ns = look_timeout_ns(loop);
	uint64_t note_ns = last_seen_timeout_ns(loop->presence);

	if (store_ns < wait_ns)
		wait_ns = store_ns;
	if (live_ns < wait_ns && wakes_most(loop) > 0)
		wait_ns = live_ns;
	if (look_ns < wait_ns)
		wait_ns = look_ns;
	if (note_ns < wait_ns)
		wait_ns = note_ns;
	if (stop_ns != UINT64_MAX) {
		uint64_t now_ns = clock_monotonic_ns();
		uint64_t left_ns = stop_ns > now_ns ? stop_ns - now_ns : 0;
		/* While draining, look again soon: who finishes says nothing.
		 */
		if (loop->quiesced)
			left_ns = 10 * CLOCK_NS_PER_MS;
		if (left_ns < wait_ns)
			wait_ns = left_ns;
	}
	if (wait_ns == UINT64_MAX)
		return -1;
	/* Rounded up, or the last part of a millisecond would be spun away. */
	uint64_t wait_ms = (wait_ns + CLOCK_NS_PER_MS - 1) / CLOCK_NS_PER_MS;
	return wait_ms > 60000 ? 60000 : (int)wait_ms;
}

static void take_wakes(struct loop *loop)
{
	uint64_t count;
	ssize_t got = read(loop->wake_fd, &count, sizeof(count));

	(void)got;
}

/* True once the loop has nothing left to do. */
static bool drain(struct loop *loop)
{
	uint64_t stop_ns = loop->all->stop_at_ns;

	if (stop_ns == UINT64_MAX)
		return false;
	if (!loop->driver.draining) {
		loop->driver.draining = true;
		http_server_drain(loop->server);
	}
	uint64_t now_ns = clock_monotonic_ns();
	if (now_ns < stop_ns)
		return false;
	if (!loop->quiesced) {
		/* Who waits to be accepted is, for the last time. */
		http_server_run(loop->server);
		http_server_quiesce(loop->server);
		loop->quiesced = true;
		loop->quiesced_ns = now_ns;
		return false;
	}
	uint64_t since_ns = now_ns - loop->quiesced_ns;
	/*
	 * Not before no loop accepts any more: who waits asks again as soon as
	 * they are let go, and would be let in.
	 */
	if (since_ns >= drain_least_ns && !loop->driver.ending) {
		loop->driver.ending = true;
		subscriptions_wake_all(loop->live);
	}
	return since_ns >= drain_most_ns ||
	       (since_ns >= drain_least_ns && http_server_idle(loop->server));
}

/*
 * The store ends what is still asked, so that HTTP can answer it; whatever
 * else comes in that moment finds no store any more.  Other loops may still
 * have mail for this one.
 */
static void close_loop(struct loop *loop)
{
	loop->driver.closed = true;
	subscriptions_wake_all(loop->live);
	subscriptions_run(loop->live, SIZE_MAX);
	store_close(loop->store);
	http_server_run(loop->server);
	http_server_close(loop->server);
	subscriptions_close(loop->live);
	last_seen_close(loop->presence);
	arena_fini(&loop->look_arena);
	(void)close(loop->epoll_fd);
}

static void *run(void *arg)
{
	struct loop *loop = arg;
	struct epoll_event ready[READY_MAX];

	log_gather();
	while (!drain(loop)) {
		log_flush();
		driver_tick(&loop->driver, 0);
		int most_ms = timeout_ms(loop);
		int count =
			epoll_wait(loop->epoll_fd, ready, READY_MAX, most_ms);
		assert(count >= 0 || errno == EINTR);
		driver_tick(&loop->driver, most_ms);
		for (int i = 0; i < count; i++) {
			if (ready[i].data.fd != loop->wake_fd)
				continue;
			take_wakes(loop);
			take_mail(loop);
		}
		/*
		 * Answers of the database first, then clients with them and
		 * with new questions, which then travel together.
		 */
		store_run(loop->store);
		subscriptions_run(loop->live, wakes_most(loop));
		http_server_run(loop->server);
		look(loop);
		last_seen_flush(loop->presence, loop->store);
		store_flush(loop->store);
	}
	/* At once: who is connected must not wait for the other loops. */
	close_loop(loop);
	log_flush();
	return NULL;
}

/* --- opening and closing ------------------------------------------------- */

/*
 * The share of a loop: all loops together have as many as asked for, and each
 * at least one.  The first loops have one more than the last.
 */
static unsigned database_connections(const struct settings *settings,
                                     unsigned loops, unsigned loop)
{
	unsigned share = settings->database_connections / loops;

	share += loop < settings->database_connections % loops;
	return share > 0 ? share : 1;
}

/*
 * Each connection is a file.  Take as many as we may have, and of those that
 * are left beside our own, no more connections than asked for.
 */
static unsigned connections_of(const struct settings *settings, unsigned loops)
{
	unsigned own = FILES_OF_PROCESS + HTTP_CAP_SPARE +
	               loops * (FILES_OF_LOOP + HTTP_CAP_SPARE_OF_SERVER) +
	               database_connections(settings, loops, 0) * loops;
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files) != 0)
		return settings->connections;
	files.rlim_cur = files.rlim_max;
	(void)setrlimit(RLIMIT_NOFILE, &files);
	if (getrlimit(RLIMIT_NOFILE, &files) != 0 ||
	    files.rlim_cur >= (rlim_t)settings->connections + own)
		return settings->connections;
	unsigned left = files.rlim_cur > own + loops
	                        ? (unsigned)files.rlim_cur - own
	                        : loops;
	LOG(LOG_WARNING, "connections_capped", LOG_INT("connections", left));
	return left;
}

static bool watch(const struct loop *loop, int fd)
{
	struct epoll_event event = { .events = EPOLLIN, .data.fd = fd };

	return epoll_ctl(loop->epoll_fd, EPOLL_CTL_ADD, fd, &event) == 0;
}

static bool open_loop(struct loop *loop, const struct settings *settings,
                      int listen_fd)
{
	struct loops *all = loop->all;
	struct store_config store = {
		.url = settings->database_url,
		.connections = database_connections(
			settings, all->count, (unsigned)(loop - all->each)),
		.deadline_ms = settings->database_timeout_ms,
	};
	struct http_config http = {
		.listen_fd = listen_fd,
		.cap = all->cap,
		.on_path = driver_on_path,
		.on_request = driver_on_request,
		.on_refused = driver_on_refused,
		.on_gone = driver_on_gone,
		.on_connect = driver_on_connect,
		.on_disconnect = driver_on_disconnect,
		.arg = &loop->driver,
		.cors_origins = settings->cors_origins,
		.trusted_proxies = settings->trusted_proxies,
	};

	http.routes = call_http_routes(&http.routes_count);
	loop->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	loop->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	loop->store = store_open(&store);
	loop->live = subscriptions_open(&loop->watched);
	loop->presence = last_seen_open();
	arena_init(&loop->look_arena);
	(void)pthread_mutex_init(&loop->mailbox.lock, NULL);
	loop->driver.store = loop->store;
	loop->driver.live = loop->live;
	loop->driver.presence = loop->presence;
	loop->driver.limited = &loop->all->limited;
	loop->driver.has_docs = strcmp(settings->docs, "on") == 0;
	loop->driver.moved = on_moved;
	loop->driver.arg = loop;
	loop->driver.deadline_ns =
		settings->database_timeout_ms * CLOCK_NS_PER_MS;
	loop->server = http_server_open(&http);
	return loop->epoll_fd >= 0 && loop->wake_fd >= 0 && loop->server &&
	       watch(loop, loop->wake_fd) &&
	       watch(loop, store_fd(loop->store)) &&
	       watch(loop, http_server_fd(loop->server)) &&
	       watch(loop, http_server_gone_fd(loop->server));
}

static unsigned count_of(const struct settings *settings)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);

	assert(settings->loops <= LOOPS_MAX);
	if (settings->loops)
		return settings->loops;
	if (processors < 1)
		return 1;
	return processors > LOOPS_MAX ? LOOPS_MAX : (unsigned)processors;
}

static int listen_again(int first_fd)
{
	struct arena arena;

	arena_init(&arena);
	int fd = http_listen(http_listen_name(first_fd, &arena), false);
	arena_fini(&arena);
	return fd;
}

/* All that can fail comes before the first loop serves anybody. */
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
		/* There is no memory for it, or no number. */
		if (pthread_create(&loop->thread, NULL, run, loop) != 0)
			memory_fail();
	}
}

struct loops *loops_open(const struct settings *settings)
{
	if (!http_origins_are_valid(settings->cors_origins)) {
		setting_refuse("GANGD_CORS_ORIGINS", settings->cors_origins);
		return NULL;
	}
	if (!http_proxies_are_valid(settings->trusted_proxies)) {
		setting_refuse("GANGD_TRUSTED_PROXIES",
		               settings->trusted_proxies);
		return NULL;
	}
	int fd = http_listen(settings->listen, true);

	if (fd < 0 && errno == EINVAL) {
		setting_refuse("GANGD_LISTEN", settings->listen);
		return NULL;
	}
	if (fd < 0) {
		(void)fprintf(stderr, "cannot listen on \"%s\": %s\n",
		              settings->listen, strerror(errno));
		return NULL;
	}
	struct loops *loops = xcalloc(1, sizeof(*loops));
	loops->stop_at_ns = UINT64_MAX;
	loops->count = count_of(settings);
	loops->cap = http_cap_open(connections_of(settings, loops->count),
	                           loops->count);
	if (!quotas_open(&loops->limited, settings) ||
	    !open_all(loops, settings, fd)) {
		/* The process ends now, and what was opened with it. */
		(void)fprintf(stderr, "cannot start: %s\n", strerror(errno));
		return NULL;
	}

	struct arena arena;
	arena_init(&arena);
	LOG(LOG_INFO, "listening",
	    LOG_TEXT("address", http_listen_name(fd, &arena)),
	    LOG_INT("loops", loops->count));
	arena_fini(&arena);
	start_all(loops);
	return loops;
}

void loops_drain(struct loops *loops, unsigned delay_ms)
{
	uint64_t one = 1;

	loops->stop_at_ns = clock_monotonic_ns() + delay_ms * CLOCK_NS_PER_MS;
	for (unsigned i = 0; i < loops->count; i++) {
		ssize_t put = write(loops->each[i].wake_fd, &one, sizeof(one));
		(void)put;
	}
}

void loops_close(struct loops *loops)
{
	for (unsigned i = 0; i < loops->count; i++) {
		int res = pthread_join(loops->each[i].thread, NULL);
		assert(res == 0);
		(void)res;
	}
	for (unsigned i = 0; i < loops->count; i++)
		(void)close(loops->each[i].wake_fd);
	http_cap_close(loops->cap);
	quotas_close(&loops->limited);
	free(loops);
}
