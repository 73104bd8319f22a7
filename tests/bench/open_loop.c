/*
 * open_loop.c - clients that send when they are due, however long the answers
 * take.
 *
 *   open_loop ADDRESS PORT get|move CONNECTIONS RATE SECONDS <SEATS
 *   open_loop ADDRESS PORT play CONNECTIONS SECONDS THINK_MS RUSH_MS <SEATS
 *
 * SEATS has a line for each seat: the path of its game, its token and, for
 * "play", its habits.  A line "." or the end of the input ends the list; after
 * a "." this program prints "ready" and begins when the input ends.
 *
 * "get" and "move": requests are due at random times, RATE a second on average
 * (exponential gaps), as those of many independent people are.  The seats send
 * them in turn.  With the rate 0 each connection has seats of
 * its own (every CONNECTIONS-th) and sends its next request when it has its
 * answer.
 *
 * "play": the habits of a seat are letters.
 *   m  it moves once every THINK_MS, with an Idempotency-Key, as frontends do
 *   g  it reads its game half a second before each move
 *   s  it listens to a stream of events and views from before the beginning
 * Lines of one game that follow each other are a table.  A table's seats move
 * within RUSH_MS, at random times, once every THINK_MS; tables begin at random
 * times.  With RUSH_MS = THINK_MS the seats of a table are independent.  They
 * play for THINK_MS before anything but failures is counted, so that each has
 * moved once: then the service knows tables and players, as in the midst of an
 * evening.
 *
 * A request is sent on the connection that has been idle longest, or else on
 * the first one that becomes idle; a seat that has a request under way sends
 * the next one after its answer.  A latency counts from the time when the
 * request was due, so a service that stalls is not spared the requests that
 * come meanwhile.
 *
 * The streams stay open for a second after the last answer, so that whoever
 * measures the service meanwhile does not count what their ends cost.
 *
 * Prints a line for each answer: its status, its latency and how late this
 * program sent it, in microseconds, and whether it was a move (1) or a GET (0).
 * Lateness is the program's own (or that of a full machine) as long as
 * connections are idle.  For each event on a stream it prints "event" and the
 * microseconds since the database's time of the event, which is that of the
 * beginning of its transaction.  The last line is "processor" and the
 * microseconds of processor time that this program took while it counted.
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
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/rng.h"

enum {
	MOVES = 3,
	LOOK = MOVES, /* the place of a GET */
	REQUEST_MAX = 512,
	ANSWER_MAX = 16384,
	READY_MAX = 64,
	KEY_LEN = 32,
	LAST_SECONDS = 10,  /* for the answers when all was sent */
	LINGER_SECONDS = 1, /* with all streams still open */
	OPENING_MAX = 256,  /* streams that have not begun */
	LOOK_MS = 500,      /* before a move */
	STATUS_OK = 200,
	DAY_US_PER_S = 1000000,
};
static const int64_t DAY_US = 86400LL * DAY_US_PER_S;

struct request {
	uint64_t due_ns;
	size_t seat;
	bool moves;
};

struct seat {
	char requests[MOVES + 1][REQUEST_MAX];
	size_t key_at[MOVES]; /* in the requests; 0: no key */
	unsigned next_move;
	size_t table;
	bool moves, looks, listens; /* its habits */
	bool is_busy;               /* it has a request under way */
	const struct request *deferred;
};

struct connection {
	int fd;
	size_t next_seat; /* with the rate 0 */
	struct request request;
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

static struct seat *seats;
static size_t seats_count;
static bool is_play;

/* By the time when they are due. */
static struct request *requests;
static size_t requests_count, requests_room;

static struct connection *connections;
static size_t connections_count;
static size_t *idle; /* a ring */
static size_t idle_first, idle_count;

static struct sample *samples;
static size_t samples_count, samples_room;

static int64_t *event_ages_us;
static size_t ages_count, ages_room;

static struct stream {
	int fd;
	bool has_begun; /* something has arrived */
} * streams;
static size_t streams_count, streams_begun;

static uint64_t started_ns;
static uint64_t warm_ns;        /* of the schedule: how long nothing counts */
static uint64_t counts_from_ns; /* when that ends */
static uint64_t counted_us;     /* processor time until then */
static struct rng rng;

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

/* Make room for one more item of a growing array. */
static void *grow(void *items, size_t count, size_t *room, size_t size)
{
	if (count < *room)
		return items;
	*room = *room ? 2 * *room : 1024;
	return xrealloc(items, *room * size);
}

/* --- seats ---------------------------------------------------------------- */

/* The field, with room for a key. */
static const char no_key[] =
	"Idempotency-Key: 00000000000000000000000000000000\r\n";
enum { KEY_AT = sizeof("Idempotency-Key: ") - 1 };

/* A seat takes white 3, then 1 and 2 alternately: see move.lua. */
static void add_seat(const char *path, const char *token, const char *habits)
{
	static size_t room;
	static char path_before[128];

	seats = grow(seats, seats_count, &room, sizeof(*seats));
	struct seat *seat = &seats[seats_count];
	bool is_new = strcmp(path, path_before) != 0;

	*seat = (struct seat){
		.next_move = MOVES - 1,
		.table = seats_count ? seat[-1].table + is_new : 0,
		.moves = strchr(habits, 'm') != NULL,
		.looks = strchr(habits, 'g') != NULL,
		.listens = strchr(habits, 's') != NULL,
	};
	seats_count++;
	(void)snprintf(path_before, sizeof(path_before), "%s", path);
	for (unsigned i = 0; i <= LOOK; i++) {
		char *text = seat->requests[i];
		bool has_key = i < LOOK && is_play;

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
		               token, has_key ? no_key : "");
		if (has_key)
			seat->key_at[i] =
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

static const char *next_move(struct seat *seat)
{
	unsigned now = seat->next_move;

	seat->next_move = now == 0 ? 1 : 0;
	if (seat->key_at[now])
		renew_key(seat->requests[now] + seat->key_at[now]);
	return seat->requests[now];
}

/* True if a line "." ended the list. */
static bool read_seats(void)
{
	char line[512];

	while (fgets(line, sizeof(line), stdin)) {
		char path[128];
		char token[128];
		char habits[8] = "";

		if (strcmp(line, ".\n") == 0)
			return true;
		if (sscanf(line, "%127s %127s %7s", path, token, habits) >= 2)
			add_seat(path, token, habits);
	}
	return false;
}

/* --- the schedule --------------------------------------------------------- */

/* The seed is the first game's id: processes with other games differ. */
static void begin_chance(void)
{
	char seed[RNG_SEED_SIZE] = "";

	(void)snprintf(seed, sizeof(seed), "%s",
	               strrchr(seats[0].requests[LOOK], '-'));
	rng_init(&rng, (const uint8_t *)seed);
}

/* A number below 1. */
static double draw(void)
{
	enum { DIGITS = 4, BASE = 256 };
	double part = 0.5; /* not 0, which has no logarithm */

	for (unsigned i = 0; i < DIGITS; i++)
		part = (part + rng_below(&rng, BASE)) / BASE;
	return part;
}

static void add_request(double due_s, double end_s, size_t seat, bool moves)
{
	if (due_s < 0 || due_s >= end_s)
		return;
	requests = grow(requests, requests_count, &requests_room,
	                sizeof(*requests));
	requests[requests_count++] = (struct request){
		.due_ns = (uint64_t)(due_s * CLOCK_NS_PER_S),
		.seat = seat,
		.moves = moves,
	};
}

static void schedule_rate(double rate, double end_s, bool moves)
{
	size_t seat = 0;

	for (double due_s = -log(draw()) / rate; due_s < end_s;
	     due_s += -log(draw()) / rate)
		add_request(due_s, end_s, seat++ % seats_count, moves);
}

/* One round of a table: the seats from first up to the next table. */
static void schedule_round(size_t first, double begin_s, double rush_s,
                           double end_s)
{
	for (size_t i = first;
	     i < seats_count && seats[i].table == seats[first].table; i++) {
		double due_s = begin_s + draw() * rush_s;

		if (!seats[i].moves)
			continue;
		if (seats[i].looks)
			add_request(due_s - LOOK_MS / 1e3, end_s, i, false);
		add_request(due_s, end_s, i, true);
	}
}

/* The first rounds have begun before: play goes on as it was. */
static void schedule_play(double think_s, double rush_s, double end_s)
{
	for (size_t i = 0; i < seats_count; i++) {
		if (i > 0 && seats[i].table == seats[i - 1].table)
			continue;
		for (double begin_s = draw() * think_s - 2 * think_s;
		     begin_s < end_s + LOOK_MS / 1e3; begin_s += think_s)
			schedule_round(i, begin_s, rush_s, end_s);
	}
}

static int compare_due(const void *one, const void *other)
{
	uint64_t a = ((const struct request *)one)->due_ns;
	uint64_t b = ((const struct request *)other)->due_ns;

	return (a > b) - (a < b);
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
	connections = xcalloc(connections_count, sizeof(*connections));
	idle = xcalloc(connections_count, sizeof(*idle));
	for (size_t i = 0; i < connections_count; i++) {
		connections[i].fd = open_one(poll, address, i);
		connections[i].next_seat = i;
		idle[idle_count++] = i;
	}
}

static void send_all(int fd, const char *text)
{
	size_t len = strlen(text);

	if (send(fd, text, len, MSG_NOSIGNAL) != (ssize_t)len)
		die("sending: %s", strerror(errno));
}

static void send_request(const struct request *request)
{
	struct seat *seat = &seats[request->seat];
	struct connection *connection = &connections[idle[idle_first]];

	idle_first = (idle_first + 1) % connections_count;
	idle_count--;
	seat->is_busy = true;
	connection->request = *request;
	connection->sent_ns = clock_monotonic_ns();
	connection->got = 0;
	send_all(connection->fd,
	         request->moves ? next_move(seat) : seat->requests[LOOK]);
}

static void note(const struct connection *connection)
{
	const struct request *request = &connection->request;
	unsigned status = (unsigned)strtoul(connection->answer + 9, NULL, 10);

	if (request->due_ns < counts_from_ns && status == STATUS_OK)
		return;
	samples = grow(samples, samples_count, &samples_room, sizeof(*samples));
	samples[samples_count++] = (struct sample){
		.status = status,
		.moves = request->moves,
		.latency_ns = clock_monotonic_ns() - request->due_ns,
		.late_ns = connection->sent_ns - request->due_ns,
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

/* Microseconds of the day; text is "2026-01-31T12:09:00.000000Z". */
static int64_t time_of_day_us(const char *text)
{
	int64_t at[3];
	char *end;

	for (unsigned i = 0; i < 3; i++)
		at[i] = strtol(text + 11 + 3 * i, &end, 10);
	return ((at[0] * 60 + at[1]) * 60 + at[2]) * DAY_US_PER_S +
	       strtol(text + 20, &end, 10);
}

static void note_event(const char *time)
{
	struct timespec now;

	if (clock_monotonic_ns() < counts_from_ns)
		return;
	(void)clock_gettime(CLOCK_REALTIME, &now);
	int64_t age_us = (int64_t)now.tv_sec * DAY_US_PER_S % DAY_US +
	                 now.tv_nsec / 1000 - time_of_day_us(time);
	event_ages_us = grow(event_ages_us, ages_count, &ages_room,
	                     sizeof(*event_ages_us));
	event_ages_us[ages_count++] = age_us < 0 ? age_us + DAY_US : age_us;
}

/* An event whose time comes in two parts is not counted. */
static void read_stream(size_t number)
{
	static const char field[] = "\"at\":\"";
	enum { TIME_LEN = sizeof("2026-01-31T12:09:00.000000Z") - 1 };
	static char text[65536];
	struct stream *stream = &streams[number];
	ssize_t got = recv(stream->fd, text, sizeof(text) - 1, 0);

	if (got <= 0)
		die("the service ends stream %zu of %zu", number,
		    streams_count);
	streams_begun += !stream->has_begun;
	stream->has_begun = true;
	text[got] = '\0';
	for (const char *at = text; (at = strstr(at, field));) {
		at += sizeof(field) - 1;
		if (text + got - at > TIME_LEN)
			note_event(at);
	}
}

static void open_stream(int poll, const struct sockaddr_in *address,
                        const struct seat *seat)
{
	static const char fields[] = "/events?after=100000000&views=true "
				     "HTTP/1.1\r\nAccept: text/event-stream";
	const char *look = seat->requests[LOOK];
	size_t path_len = strcspn(look + 4, " ") + 4;
	char text[2 * REQUEST_MAX];

	(void)snprintf(text, sizeof(text), "%.*s%s%s", (int)path_len, look,
	               fields, strstr(look, "\r\n"));
	streams[streams_count].fd =
		open_one(poll, address, connections_count + streams_count);
	send_all(streams[streams_count++].fd, text);
}

/* Read until at most so many streams have not begun. */
static void read_until_begun(int poll, size_t most)
{
	struct epoll_event event;

	while (streams_count - streams_begun > most &&
	       epoll_wait(poll, &event, 1, LAST_SECONDS * 1000) > 0)
		read_stream(event.data.u64 - connections_count);
}

static void open_streams(int poll, const struct sockaddr_in *address)
{
	streams = xcalloc(seats_count + 1, sizeof(*streams));
	for (size_t i = 0; i < seats_count; i++) {
		if (!seats[i].listens)
			continue;
		read_until_begun(poll, OPENING_MAX);
		open_stream(poll, address, &seats[i]);
	}
	read_until_begun(poll, 0);
	if (streams_begun < streams_count)
		die("%zu streams do not begin", streams_count - streams_begun);
	ages_count = 0;
}

/* --- the pace ------------------------------------------------------------- */

static void take_answer(struct connection *connection)
{
	struct seat *seat = &seats[connection->request.seat];
	const struct request *deferred = seat->deferred;

	note(connection);
	idle[(idle_first + idle_count++) % connections_count] =
		(size_t)(connection - connections);
	seat->is_busy = false;
	seat->deferred = NULL;
	if (deferred)
		send_request(deferred);
}

/* Read what a connection or a stream has. */
static void take_ready(size_t number)
{
	if (number >= connections_count)
		read_stream(number - connections_count);
	else if (read_answer(&connections[number]))
		take_answer(&connections[number]);
}

/* A seat that is busy for two rounds is not asked a third time. */
static void send_due(const struct request *request)
{
	struct seat *seat = &seats[request->seat];

	if (!seat->is_busy)
		send_request(request);
	else if (!seat->deferred)
		seat->deferred = request;
	else
		die("a seat waits for %u answers", 2);
}

/* Wait until something happens, or until due_ns. */
static void wait_for_answers(int poll, uint64_t due_ns)
{
	struct epoll_event ready[READY_MAX];
	uint64_t now_ns = clock_monotonic_ns();
	uint64_t wait_ns = due_ns > now_ns ? due_ns - now_ns : 0;
	struct timespec wait = {
		.tv_sec = (time_t)(wait_ns / CLOCK_NS_PER_S),
		.tv_nsec = (long)(wait_ns % CLOCK_NS_PER_S),
	};
	int count = epoll_pwait2(poll, ready, READY_MAX, &wait, NULL);

	for (int i = 0; i < count; i++)
		take_ready(ready[i].data.u64);
}

static uint64_t processor_us(void)
{
	struct timespec used;

	(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	return (uint64_t)used.tv_sec * 1000000 + (uint64_t)used.tv_nsec / 1000;
}

static void run_schedule(int poll)
{
	uint64_t begun_ns = clock_monotonic_ns();
	size_t sent = 0;
	bool is_warm = warm_ns == 0;

	counts_from_ns = begun_ns + warm_ns;

	for (size_t i = 0; i < requests_count; i++)
		requests[i].due_ns += begun_ns;
	uint64_t end_ns = (requests_count ? requests[requests_count - 1].due_ns
	                                  : begun_ns) +
	                  LAST_SECONDS * CLOCK_NS_PER_S;
	while (sent < requests_count || idle_count < connections_count) {
		uint64_t now_ns = clock_monotonic_ns();

		if (!is_warm && now_ns >= counts_from_ns) {
			is_warm = true;
			counted_us = processor_us();
		}
		while (idle_count && sent < requests_count &&
		       requests[sent].due_ns <= now_ns)
			send_due(&requests[sent++]);
		if (now_ns > end_ns)
			die("%zu answers do not come",
			    connections_count - idle_count);
		wait_for_answers(poll, idle_count && sent < requests_count
		                               ? requests[sent].due_ns
		                               : end_ns + 1);
	}
}

/* Each connection sends when it has its answer; its seats take turns. */
static void run_closed(int poll, double end_s, bool moves)
{
	uint64_t begun_ns = clock_monotonic_ns();
	uint64_t end_ns = begun_ns + (uint64_t)(end_s * CLOCK_NS_PER_S);

	for (;;) {
		uint64_t now_ns = clock_monotonic_ns();

		while (idle_count && now_ns < end_ns) {
			size_t *next = &connections[idle[idle_first]].next_seat;
			struct request request = { now_ns, *next, moves };

			*next += connections_count;
			if (*next >= seats_count)
				*next %= connections_count;
			send_request(&request);
		}
		if (idle_count == connections_count)
			return;
		if (now_ns > end_ns + LAST_SECONDS * CLOCK_NS_PER_S)
			die("%zu answers do not come",
			    connections_count - idle_count);
		wait_for_answers(poll, now_ns + CLOCK_NS_PER_S);
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

static void print_samples(uint64_t used_us)
{
	for (size_t i = 0; i < samples_count; i++)
		printf("%u %llu %llu %d\n", samples[i].status,
		       (unsigned long long)(samples[i].latency_ns / 1000),
		       (unsigned long long)(samples[i].late_ns / 1000),
		       samples[i].moves);
	for (size_t i = 0; i < ages_count; i++)
		printf("event %lld\n", (long long)event_ages_us[i]);
	printf("processor %llu\n", (unsigned long long)used_us);
}

int main(int argc, char **argv)
{
	is_play = argc == 8 && strcmp(argv[3], "play") == 0;
	bool moves = argc == 7 && strcmp(argv[3], "move") == 0;
	if (!is_play && !moves && (argc != 7 || strcmp(argv[3], "get") != 0)) {
		(void)fputs("usage: open_loop ADDRESS PORT get|move "
		            "CONNECTIONS RATE SECONDS <SEATS\n"
		            "       open_loop ADDRESS PORT play "
		            "CONNECTIONS SECONDS THINK_MS RUSH_MS <SEATS\n",
		            stderr);
		return EXIT_FAILURE;
	}
	started_ns = clock_monotonic_ns();
	connections_count = strtoul(argv[4], NULL, 10);
	double rate = is_play ? 1 : strtod(argv[5], NULL);
	double end_s = strtod(argv[is_play ? 5 : 6], NULL);
	bool must_wait = read_seats();
	if (seats_count < (rate > 0 ? 1 : connections_count))
		die("%zu seats for %zu connections", seats_count,
		    connections_count);
	begin_chance();
	if (is_play) {
		double think_s = strtod(argv[6], NULL) / 1e3;

		warm_ns = (uint64_t)(think_s * CLOCK_NS_PER_S);
		schedule_play(think_s, strtod(argv[7], NULL) / 1e3,
		              think_s + end_s);
	}
	if (!is_play && rate > 0)
		schedule_rate(rate, end_s, moves);
	if (requests_count)
		qsort(requests, requests_count, sizeof(*requests), compare_due);

	struct sockaddr_in address = read_address(argv[1], argv[2]);
	int poll = epoll_create1(0);
	/* The kernel may otherwise be 50 us late on purpose. */
	(void)prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
	allow_files();
	open_streams(poll, &address);
	if (must_wait) {
		(void)puts("ready");
		(void)fflush(stdout);
		while (getchar() != EOF)
			continue;
	}
	/* Only now: a connection may wait for its first request for 10 s. */
	open_all(poll, &address);
	counted_us = processor_us();
	if (rate > 0)
		run_schedule(poll);
	else
		run_closed(poll, end_s, moves);
	print_samples(processor_us() - counted_us);
	if (is_play)
		(void)sleep(LINGER_SECONDS);
	return EXIT_SUCCESS;
}
