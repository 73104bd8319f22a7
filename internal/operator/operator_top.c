/*
 * A sample is the sums over all daemons that answer, and the database's
 * overview. The figures of moves and routes are differences of two samples;
 * each is left out if another number of daemons answered, or one was restarted
 * and a sum went down.  The terminal is set back before the program ends.
 */
#include "operator/operator_top.h"

#include <curl/curl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "admin/overview.h"
#include "base/clock.h"
#include "base/memory.h"
#include "operator/metrics_text.h"
#include "operator/operator_words.h"

enum {
	DAEMONS_MAX = 32,
	ADDRESS_SIZE = 64,
	BODY_SIZE = 1 << 20,
	ANSWER_MS = 1000,
	PERIOD_MS = 1000,
	ROUTES_SHOWN = 5,
	MS_PER_S = 1000,
	MB = 1 << 20,
	STATUS_OK = 200,
};

struct daemons {
	char addresses[DAEMONS_MAX][ADDRESS_SIZE];
	size_t count;
};

struct body {
	char bytes[BODY_SIZE];
	size_t len;
};

struct sample {
	struct metrics_sum sum;
	size_t answered;
	bool answers[DAEMONS_MAX];
	bool has_overview;
	struct overview overview;
	char reason[SCHEMA_REASON_MAX];
	uint64_t at_ns;
};

struct top {
	struct daemons daemons;
	bool once;
	const char *url;
	CURL *curl;
	struct body body;
	struct sample samples[2];
};

static volatile sig_atomic_t is_over;

/* --- words ---------------------------------------------------------------- */

static bool read_addresses(struct daemons *daemons, const char *list)
{
	daemons->count = 0;
	while (*list) {
		size_t len = strcspn(list, ",");

		if (len == 0 || len >= ADDRESS_SIZE ||
		    daemons->count == DAEMONS_MAX)
			return false;
		(void)snprintf(daemons->addresses[daemons->count++],
		               ADDRESS_SIZE, "%.*s", (int)len, list);
		list += len + (list[len] == ',');
	}
	return daemons->count > 0;
}

static bool read_words(struct top *top, int count, char **words,
                       const char *addresses)
{
	const struct flag flags[] = {
		{ "once", &top->once, NULL },
		{ "daemons", NULL, &addresses },
	};
	struct operator_words rest = { count, words };

	if (!operator_words_flags(&rest, flags, ARRAY_LEN(flags), 0,
	                          "--once, --daemons ADDRESS[,ADDRESS...]"))
		return false;
	if (read_addresses(&top->daemons, addresses))
		return true;
	(void)fprintf(
		stderr,
		"the daemons are \"%s\"; expected: the addresses of their "
		"metrics, from 1 to %d, with commas, in --daemons or "
		"GANGD_METRICS_LISTEN\n",
		addresses, DAEMONS_MAX);
	return false;
}

/* --- sampling ------------------------------------------------------------- */

static size_t keep(char *bytes, size_t size, size_t count, void *arg)
{
	struct body *body = arg;
	size_t len = size * count;

	if (len >= sizeof(body->bytes) - body->len)
		return 0;
	memcpy(body->bytes + body->len, bytes, len);
	body->len += len;
	body->bytes[body->len] = '\0';
	return len;
}

static bool fetch(struct top *top, const char *address)
{
	char url[ADDRESS_SIZE + sizeof("http:///metrics")];
	long status = 0;

	(void)snprintf(url, sizeof(url), "http://%s/metrics", address);
	top->body.len = 0;
	top->body.bytes[0] = '\0';
	(void)curl_easy_setopt(top->curl, CURLOPT_URL, url);
	if (curl_easy_perform(top->curl) != CURLE_OK)
		return false;
	(void)curl_easy_getinfo(top->curl, CURLINFO_RESPONSE_CODE, &status);
	return status == STATUS_OK;
}

static void take_sample(struct top *top, struct sample *sample)
{
	*sample = (struct sample){ .at_ns = clock_monotonic_ns() };
	for (size_t i = 0; i < top->daemons.count && !is_over; i++) {
		sample->answers[i] = fetch(top, top->daemons.addresses[i]);
		if (!sample->answers[i])
			continue;
		sample->answered++;
		metrics_text_add(&sample->sum, top->body.bytes);
	}
	sample->has_overview =
		!is_over &&
		overview_take(top->url, &sample->overview, sample->reason);
}

/* --- printing ------------------------------------------------------------- */

static const char *end_of_line; /* in a terminal: clears the rest of a line */

static const struct metrics_route *find_route(const struct metrics_sum *sum,
                                              const char *name)
{
	for (size_t i = 0; i < sum->routes_count; i++) {
		if (strcmp(sum->routes[i].name, name) == 0)
			return &sum->routes[i];
	}
	return NULL;
}

/* Mean milliseconds of its requests; 0 without requests. */
static double mean_ms(const struct metrics_route *route)
{
	return route->requests > 0 ? route->seconds * MS_PER_S / route->requests
	                           : 0;
}

static int compare_routes(const void *a, const void *b)
{
	double first = mean_ms(a);
	double second = mean_ms(b);

	return (first < second) - (first > second);
}

/* Since the sample before, or with NULL since the daemons' start. */
static void print_routes(const struct metrics_sum *now,
                         const struct metrics_sum *before)
{
	struct metrics_sum sum = *now;

	for (size_t i = 0; before && i < sum.routes_count; i++) {
		const struct metrics_route *old =
			find_route(before, sum.routes[i].name);

		if (old) {
			sum.routes[i].requests -= old->requests;
			sum.routes[i].seconds -= old->seconds;
		}
	}
	qsort(sum.routes, sum.routes_count, sizeof(sum.routes[0]),
	      compare_routes);
	(void)printf("slowest routes, mean %s:%s",
	             before ? "of the last second" : "since the start",
	             end_of_line);
	for (size_t i = 0; i < sum.routes_count && i < ROUTES_SHOWN; i++) {
		if (sum.routes[i].requests <= 0)
			break;
		(void)printf("  %9.3f ms  %8.0f  %s%s", mean_ms(&sum.routes[i]),
		             sum.routes[i].requests, sum.routes[i].name,
		             end_of_line);
	}
}

static void print_daemons(const struct top *top, const struct sample *now,
                          const struct sample *before)
{
	double seconds =
		(double)(now->at_ns - before->at_ns) / (double)CLOCK_NS_PER_S;
	double moves = now->sum.moves - before->sum.moves;
	bool can_compare = memcmp(now->answers, before->answers,
	                          sizeof(now->answers)) == 0 &&
	                   moves >= 0 && seconds > 0;

	for (size_t i = 0; i < top->daemons.count; i++) {
		if (!now->answers[i])
			(void)printf("daemon %s: does not answer%s",
			             top->daemons.addresses[i], end_of_line);
	}
	(void)printf("daemons:          %zu of %zu answer%s", now->answered,
	             top->daemons.count, end_of_line);
	if (now->answered == 0)
		return;
	if (can_compare)
		(void)printf("moves a second:   %.1f%s", moves / seconds,
		             end_of_line);
	else
		(void)printf("moves a second:   not known yet%s", end_of_line);
	(void)printf("waiters:          %.0f%s", now->sum.waiters, end_of_line);
	(void)printf("streams:          %.0f%s", now->sum.streams, end_of_line);
	(void)printf("connections:      %.0f%s", now->sum.connections,
	             end_of_line);
	print_routes(&now->sum,
	             top->once || !can_compare ? NULL : &before->sum);
}

static void print_database(const struct sample *now)
{
	const struct overview *overview = &now->overview;

	if (!now->has_overview) {
		(void)printf("database:         does not answer: %s%s",
		             now->reason, end_of_line);
		return;
	}
	(void)printf("games:            %" PRIu64 " lobby, %" PRIu64
	             " playing, about %" PRIu64 " over%s",
	             overview->lobby, overview->playing, overview->over,
	             end_of_line);
	(void)printf("database:         %" PRIu64 " MB, %" PRIu64 " of %" PRIu64
	             " connections%s",
	             overview->bytes / MB, overview->connections,
	             overview->connections_max, end_of_line);
}

/* --- running -------------------------------------------------------------- */

static enum verdict run_once(struct top *top)
{
	const struct timespec pause = { .tv_sec = 1 };
	struct sample *now = &top->samples[1];

	end_of_line = "\n";
	take_sample(top, &top->samples[0]);
	(void)nanosleep(&pause, NULL);
	take_sample(top, now);
	print_database(now);
	print_daemons(top, now, &top->samples[0]);
	return now->has_overview && now->answered == top->daemons.count
	               ? VERDICT_DONE
	               : VERDICT_UNKNOWN;
}

static void end(int number)
{
	(void)number;
	is_over = 1;
}

/* Wait until the next sample is due, or q, SIGINT or the end of the input. */
static void wait_for_key(uint64_t until_ns)
{
	uint64_t now_ns = clock_monotonic_ns();

	while (!is_over && now_ns < until_ns) {
		struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
		char key = 'q';

		if (poll(&input, 1,
		         (int)((until_ns - now_ns) / CLOCK_NS_PER_MS) + 1) >
		            0 &&
		    (read(STDIN_FILENO, &key, 1) <= 0 || key == 'q'))
			is_over = 1;
		now_ns = clock_monotonic_ns();
	}
}

/* Each sample is printed over the one before, from the corner. */
static void run_live(struct top *top)
{
	unsigned now = 0;

	end_of_line = "\033[K\n";
	(void)fflush(stdout);
	take_sample(top, &top->samples[1]);
	while (!is_over) {
		struct sample *sample = &top->samples[now];

		wait_for_key(top->samples[1 - now].at_ns +
		             PERIOD_MS * CLOCK_NS_PER_MS);
		if (is_over)
			break;
		take_sample(top, sample);
		if (is_over)
			break;
		(void)printf("\033[Hgangctl top: q ends it%s", end_of_line);
		print_database(sample);
		print_daemons(top, sample, &top->samples[1 - now]);
		(void)printf("\033[J");
		(void)fflush(stdout);
		now = 1 - now;
	}
}

static enum verdict run_in_terminal(struct top *top)
{
	struct sigaction action = { .sa_handler = end };
	struct termios before;

	if (!isatty(STDOUT_FILENO) || tcgetattr(STDIN_FILENO, &before) != 0) {
		(void)fprintf(stderr,
		              "standard output is not a terminal; use --once "
		              "for a single sample\n");
		return VERDICT_BAD;
	}
	struct termios raw = before;
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	(void)sigaction(SIGINT, &action, NULL);
	(void)sigaction(SIGTERM, &action, NULL);
	(void)tcsetattr(STDIN_FILENO, TCSANOW, &raw);
	(void)printf("\033[?1049h\033[?25l\033[2J");
	run_live(top);
	(void)printf("\033[?25h\033[?1049l");
	(void)fflush(stdout);
	(void)tcsetattr(STDIN_FILENO, TCSANOW, &before);
	return VERDICT_DONE;
}

enum verdict operator_top(int count, char **words, const char *addresses,
                          const char *url)
{
	struct top *top = xcalloc(1, sizeof(*top));
	enum verdict verdict = VERDICT_BAD;

	top->url = url;
	if (read_words(top, count, words, addresses) &&
	    curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK) {
		top->curl = curl_easy_init();
		memory_expect(top->curl);
		(void)curl_easy_setopt(top->curl, CURLOPT_PROTOCOLS_STR,
		                       "http");
		(void)curl_easy_setopt(top->curl, CURLOPT_PROXY, "");
		(void)curl_easy_setopt(top->curl, CURLOPT_NOSIGNAL, 1L);
		(void)curl_easy_setopt(top->curl, CURLOPT_TIMEOUT_MS,
		                       (long)ANSWER_MS);
		(void)curl_easy_setopt(top->curl, CURLOPT_WRITEFUNCTION, keep);
		(void)curl_easy_setopt(top->curl, CURLOPT_WRITEDATA,
		                       &top->body);
		verdict = top->once ? run_once(top) : run_in_terminal(top);
		curl_easy_cleanup(top->curl);
		curl_global_cleanup();
	}
	free(top);
	return verdict;
}
