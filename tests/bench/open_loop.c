/*
 * open_loop.c - clients that send at their own pace, whatever the answers take.
 *
 *   open_loop ADDRESS PORT get|move|play CONNECTIONS RATE SECONDS [STREAMS]
 * <GAMES
 *
 * GAMES has a seat a line: its game's path and its token.  Requests are due at
 * random times, RATE a second on average (exponential gaps, of a fixed seed),
 * as those of many independent people are.  Each is sent on a connection that
 * is idle, or else on the first one that becomes idle.  Its latency counts from
 * the time when it was due, so a service that stalls is not spared the requests
 * that come meanwhile.  With the rate 0 each connection sends its next request
 * when it has its answer, and is due then.
 *
 * "play" sends one GET for two moves, at random, and with each move an
 * Idempotency-Key of its own, as frontends do.  With STREAMS, every second seat
 * listens to its game's events and views, up to this many seats, from before
 * the first request is due; the events are dropped.
 *
 * Prints a line for each answer: its status, its latency and how late this
 * program sent it, in microseconds, and whether it was a move (1) or a GET (0).
 * Lateness is the program's own (or that of a full machine) as long as
 * connections are idle.
 *
 * A connection has games of its own, every CONNECTIONS-th of the list, and uses
 * them in turn: no seat has two requests under way.  Idle connections are in a
 * ring, of which the one that is idle longest is used first.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/rng.h"

enum {
	MOVES = 3,
	LOOK = MOVES, /* the place of a GET */
	LOOK_ONE_IN = 3,
	REQUEST_MAX = 512,
	ANSWER_MAX = 16384,
	READY_MAX = 64,
	KEY_LEN = 32,
	LAST_SECONDS = 10, /* for the answers when all was sent */
	QUIET_MS = 300,    /* when streams have heard what is past */
};

struct game {
	char requests[MOVES + 1][REQUEST_MAX];
	size_t key_at[MOVES]; /* in the requests; 0: no key */
	unsigned next;        /* move */
};

struct connection {
	int fd;
	size_t game;
	bool moves; /* the request under way is a move */
	uint64_t due_ns;
	uint64_t sent_ns;
	size_t got;
	char answer[ANSWER_MAX + 1];
};

struct sample {
	unsigned status;
	bool moves;
	uint64_t latency_ns;
	uint64_t late_ns;
};

static struct game *games;
static size_t games_count;
static unsigned look_one_in = 1; /* requests; 0: never */
static bool has_keys;

static struct connection *connections;
static size_t connections_count;
static size_t *idle; /* a ring */
static size_t idle_first, idle_count;

static struct sample *samples;
static size_t samples_count, samples_room;

static int *streams;
static size_t streams_count;

static _Noreturn void die(const char *format, ...)
	__attribute__((format(printf, 1, 2)));
static void die(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	(void)fputs("open_loop: ", stderr);
	(void)vfprintf(stderr, format, args);
	(void)fputc('\n', stderr);
	va_end(args);
	exit(EXIT_FAILURE);
}

/* --- the games ------------------------------------------------------------ */

/* The field, with room for a key. */
static const char no_key[] =
	"Idempotency-Key: 00000000000000000000000000000000\r\n";
enum { KEY_AT = sizeof("Idempotency-Key: ") - 1 };
static uint64_t started_ns;

/* A seat takes white 3, then 1 and 2 alternately: see move.lua. */
static void add_game(const char *path, const char *token)
{
	games = xrealloc(games, (games_count + 1) * sizeof(*games));
	struct game *game = &games[games_count++];

	*game = (struct game){ .next = MOVES - 1 };
	for (unsigned i = 0; i <= LOOK; i++) {
		char *text = game->requests[i];

		if (i == LOOK)
			(void)snprintf(text, REQUEST_MAX, "GET %s", path);
		else
			(void)snprintf(text, REQUEST_MAX,
			               "POST %s/chips/white/%u/take", path,
			               i + 1);
		size_t len = strlen(text);
		(void)snprintf(text + len, REQUEST_MAX - len,
		               " HTTP/1.1\r\nHost: gangd\r\n"
		               "Authorization: Bearer %s\r\n%s\r\n",
		               token, i < LOOK && has_keys ? no_key : "");
		if (i < LOOK && has_keys)
			game->key_at[i] =
				(size_t)(strstr(text, no_key) - text) + KEY_AT;
	}
}

/* The process and a number make a key of its own. */
static void renew_key(char *key)
{
	static uint64_t made;
	char text[KEY_LEN + 1];

	(void)snprintf(text, sizeof(text), "%016llx%016llx",
	               (unsigned long long)started_ns,
	               (unsigned long long)++made);
	memcpy(key, text, KEY_LEN);
}

static const char *next_move(struct game *game)
{
	unsigned now = game->next;

	game->next = now == 0 ? 1 : 0;
	if (game->key_at[now])
		renew_key(game->requests[now] + game->key_at[now]);
	return game->requests[now];
}

static void read_games(void)
{
	char path[128];
	char token[128];

	while (scanf("%127s %127s", path, token) == 2)
		add_game(path, token);
	if (games_count < connections_count)
		die("%zu games for %zu connections", games_count,
		    connections_count);
}

/* --- connections ---------------------------------------------------------- */

static struct sockaddr_in read_address(const char *host, const char *port)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_port = htons((uint16_t)strtoul(port, NULL, 10)),
	};

	if (inet_pton(AF_INET, host, &address.sin_addr) != 1)
		die("\"%s\" is not an IPv4 address", host);
	return address;
}

/* Events of the connection report this number. */
static int open_one(int poll, const struct sockaddr_in *address, size_t number)
{
	struct epoll_event event = { .events = EPOLLIN, .data.u64 = number };
	const int yes = 1;
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (fd < 0 ||
	    connect(fd, (const struct sockaddr *)address, sizeof(*address)) ||
	    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes)) ||
	    epoll_ctl(poll, EPOLL_CTL_ADD, fd, &event))
		die("connection %zu: %s", number, strerror(errno));
	return fd;
}

static void open_all(int poll, const struct sockaddr_in *address)
{
	for (size_t i = 0; i < connections_count; i++) {
		connections[i].fd = open_one(poll, address, i);
		connections[i].game = i;
		idle[idle_count++] = i;
	}
}

static void send_all(int fd, const char *text)
{
	size_t len = strlen(text);

	if (send(fd, text, len, MSG_NOSIGNAL) != (ssize_t)len)
		die("sending: %s", strerror(errno));
}

static void send_next(struct connection *connection, struct rng *rng,
                      uint64_t due_ns)
{
	struct game *game = &games[connection->game];

	connection->moves = look_one_in == 0 ||
	                    (look_one_in > 1 && rng_below(rng, look_one_in));
	connection->game += connections_count;
	if (connection->game >= games_count)
		connection->game %= connections_count;
	connection->due_ns = due_ns;
	connection->sent_ns = clock_monotonic_ns();
	connection->got = 0;
	send_all(connection->fd,
	         connection->moves ? next_move(game) : game->requests[LOOK]);
}

static void note(const struct connection *connection)
{
	if (samples_count == samples_room) {
		samples_room = samples_room ? 2 * samples_room : 1024;
		samples = xrealloc(samples, samples_room * sizeof(*samples));
	}
	samples[samples_count++] = (struct sample){
		.status = (unsigned)strtoul(connection->answer + 9, NULL, 10),
		.moves = connection->moves,
		.latency_ns = clock_monotonic_ns() - connection->due_ns,
		.late_ns = connection->sent_ns - connection->due_ns,
	};
}

/* Read what is there; true if that completes the answer. */
static bool read_answer(struct connection *connection)
{
	static const char field[] = "\r\nContent-Length: ";
	char *text = connection->answer;
	ssize_t got = recv(connection->fd, text + connection->got,
	                   ANSWER_MAX - connection->got, 0);

	if (got <= 0)
		die("the service closes a connection");
	connection->got += (size_t)got;
	text[connection->got] = '\0';
	const char *end = strstr(text, "\r\n\r\n");
	const char *length = strstr(text, field);
	if (!end)
		return false;
	if (!length || length > end)
		die("an answer without a length");
	size_t whole = (size_t)(end + 4 - text) +
	               strtoul(length + sizeof(field) - 1, NULL, 10);
	if (whole > ANSWER_MAX)
		die("an answer of %zu bytes", whole);
	return connection->got >= whole;
}

/* --- streams -------------------------------------------------------------- */

/* The events and views of every second seat. */
static void open_streams(int poll, const struct sockaddr_in *address)
{
	static const char fields[] = "/events?after=100000000&views=true "
				     "HTTP/1.1\r\nAccept: text/event-stream";

	streams = xcalloc(streams_count + 1, sizeof(*streams));
	for (size_t i = 0; i < streams_count; i++) {
		const char *look = games[2 * i].requests[LOOK];
		size_t path_len = strcspn(look + 4, " ") + 4;
		char text[2 * REQUEST_MAX];

		(void)snprintf(text, sizeof(text), "%.*s%s%s", (int)path_len,
		               look, fields, strstr(look, "\r\n"));
		streams[i] = open_one(poll, address, connections_count + i);
		send_all(streams[i], text);
	}
}

static void read_stream(size_t number)
{
	char scratch[65536];

	if (recv(streams[number], scratch, sizeof(scratch), 0) <= 0)
		die("the service ends a stream");
}

/* Let the streams say what was there before. */
static void settle(int poll)
{
	struct epoll_event event;

	while (epoll_wait(poll, &event, 1, QUIET_MS) > 0)
		read_stream(event.data.u64 - connections_count);
}

/* --- the pace ------------------------------------------------------------- */

/* Nanoseconds to the next time when a request is due. */
static uint64_t draw_gap(struct rng *rng, double rate)
{
	enum { DIGITS = 3, BASE = 256 };
	double part = 0.5; /* not 0, which has no logarithm */

	for (unsigned i = 0; i < DIGITS; i++)
		part = (part + rng_below(rng, BASE)) / BASE;
	return (uint64_t)(-log(part) / rate * CLOCK_NS_PER_S);
}

/* Read what a connection or a stream has. */
static void take_ready(size_t number)
{
	if (number >= connections_count) {
		read_stream(number - connections_count);
	} else if (read_answer(&connections[number])) {
		note(&connections[number]);
		idle[(idle_first + idle_count++) % connections_count] = number;
	}
}

static void run(int poll, double rate, uint64_t end_ns)
{
	static const uint8_t seed[RNG_SEED_SIZE] = { 1 };
	struct epoll_event ready[READY_MAX];
	struct rng rng;
	uint64_t due_ns = clock_monotonic_ns();

	rng_init(&rng, seed);
	for (;;) {
		uint64_t now_ns = clock_monotonic_ns();

		while (idle_count && due_ns < end_ns && due_ns <= now_ns) {
			size_t first = idle[idle_first];

			idle_first = (idle_first + 1) % connections_count;
			idle_count--;
			send_next(&connections[first], &rng, due_ns);
			now_ns = clock_monotonic_ns();
			due_ns = rate > 0 ? due_ns + draw_gap(&rng, rate)
			                  : now_ns;
		}
		bool all_sent = due_ns >= end_ns;
		if (all_sent && idle_count == connections_count)
			return;

		uint64_t wait_ns = LAST_SECONDS * CLOCK_NS_PER_S;
		if (!all_sent && idle_count)
			wait_ns = due_ns > now_ns ? due_ns - now_ns : 0;
		struct timespec wait = {
			.tv_sec = (time_t)(wait_ns / CLOCK_NS_PER_S),
			.tv_nsec = (long)(wait_ns % CLOCK_NS_PER_S),
		};
		int count = epoll_pwait2(poll, ready, READY_MAX, &wait, NULL);
		if (count == 0 && wait_ns == LAST_SECONDS * CLOCK_NS_PER_S)
			die("%zu answers do not come",
			    connections_count - idle_count);
		for (int i = 0; i < count; i++)
			take_ready(ready[i].data.u64);
		if (rate <= 0 && due_ns < end_ns)
			due_ns = clock_monotonic_ns();
	}
}

/* Each connection takes a descriptor, also here. */
static void allow_files(void)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
		files.rlim_cur = files.rlim_max;
		(void)setrlimit(RLIMIT_NOFILE, &files);
	}
}

int main(int argc, char **argv)
{
	if (argc < 7 || argc > 8) {
		(void)fputs("usage: open_loop ADDRESS PORT get|move|play "
		            "CONNECTIONS RATE SECONDS [STREAMS] <GAMES\n",
		            stderr);
		return EXIT_FAILURE;
	}
	look_one_in = strcmp(argv[3], "move") == 0   ? 0
	              : strcmp(argv[3], "play") == 0 ? LOOK_ONE_IN
	                                             : 1;
	has_keys = strcmp(argv[3], "play") == 0;
	started_ns = clock_monotonic_ns();
	connections_count = strtoul(argv[4], NULL, 10);
	connections = xcalloc(connections_count, sizeof(*connections));
	idle = xcalloc(connections_count, sizeof(*idle));
	read_games();
	if (argc == 8)
		streams_count = strtoul(argv[7], NULL, 10);
	if (streams_count > games_count / 2)
		streams_count = games_count / 2;

	struct sockaddr_in address = read_address(argv[1], argv[2]);
	int poll = epoll_create1(0);
	/* The kernel may otherwise be 50 us late on purpose. */
	(void)prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
	allow_files();
	open_all(poll, &address);
	open_streams(poll, &address);
	settle(poll);
	run(poll, strtod(argv[5], NULL),
	    clock_monotonic_ns() + strtoul(argv[6], NULL, 10) * CLOCK_NS_PER_S);
	for (size_t i = 0; i < samples_count; i++)
		printf("%u %llu %llu %d\n", samples[i].status,
		       (unsigned long long)(samples[i].latency_ns / 1000),
		       (unsigned long long)(samples[i].late_ns / 1000),
		       samples[i].moves);
	return EXIT_SUCCESS;
}
