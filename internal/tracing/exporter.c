/*
 * The exporter's thread wakes five times a second and takes the traces of all
 * loops in batches of at most BATCH_MAX.  Each batch is one POST.  The thread
 * alone uses the libcurl handle and the buffer; it shares nothing with the
 * loops but the rings of their tracers.
 */
#include "tracing/exporter.h"

#include <curl/curl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/clock.h"
#include "base/json_out.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/setting.h"
#include "tracing/otlp.h"

enum {
	BATCH_MAX = 64,
	BODY_SIZE = OTLP_FRAME_MAX + BATCH_MAX * OTLP_TRACE_MAX,
	POST_MS = 2000,
	CONNECT_MS = 1000,
	PERIOD_MS = 200,
	STATUS_OK = 200,
	STATUS_ABOVE = 300,
};

static const uint64_t lost_log_ns = 60 * CLOCK_NS_PER_S;

struct exporter {
	const char *url;
	unsigned count; /* of tracers */
	struct tracer **tracers;

	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t stopped;
	bool stop; /* under the lock */

	/* Traces in batches that were not accepted; the thread adds to it. */
	_Atomic uint64_t refused;

	/* The thread's own. */
	CURL *curl;
	struct curl_slist *fields;
	char *body;
	bool gave_up;          /* for now: the last batch was not accepted */
	uint64_t lost_logged;  /* lost traces that the log has reported */
	uint64_t logged_at_ns; /* 0: never */
};

bool exporter_url_is_valid(const char *url)
{
	return !url[0] || strncasecmp(url, "http://", 7) == 0 ||
	       strncasecmp(url, "https://", 8) == 0;
}

/* --- sending -------------------------------------------------------------- */

static size_t drop(char *bytes, size_t size, size_t count, void *arg)
{
	(void)bytes;
	(void)arg;
	return size * count;
}

/* True if the collector has taken the body. */
static bool post(struct exporter *exporter, size_t len)
{
	long status = 0;

	(void)curl_easy_setopt(exporter->curl, CURLOPT_POSTFIELDS,
	                       exporter->body);
	(void)curl_easy_setopt(exporter->curl, CURLOPT_POSTFIELDSIZE,
	                       (long)len);
	if (curl_easy_perform(exporter->curl) != CURLE_OK)
		return false;
	(void)curl_easy_getinfo(exporter->curl, CURLINFO_RESPONSE_CODE,
	                        &status);
	return status >= STATUS_OK && status < STATUS_ABOVE;
}

static bool take(struct exporter *exporter, struct trace *trace)
{
	for (unsigned i = 0; i < exporter->count; i++) {
		if (tracer_take(exporter->tracers[i], trace))
			return true;
	}
	return false;
}

static void add_refused(struct exporter *exporter, unsigned count)
{
	atomic_fetch_add_explicit(&exporter->refused, count,
	                          memory_order_relaxed);
}

/* The number of traces in the batch; 0: no trace is left. */
static unsigned send_batch(struct exporter *exporter)
{
	uint64_t offset_ns =
		(uint64_t)clock_wall_us() * 1000 - clock_monotonic_ns();
	struct json_out out;
	struct trace trace;
	unsigned count = 0;

	json_out_init(&out, exporter->body, BODY_SIZE);
	otlp_begin(&out, setting_version());
	while (count < BATCH_MAX && take(exporter, &trace)) {
		otlp_trace(&out, &trace, offset_ns);
		count++;
	}
	otlp_end(&out);
	if (count > 0 &&
	    (!json_out_fits(&out) || !post(exporter, json_out_len(&out)))) {
		add_refused(exporter, count);
		exporter->gave_up = true;
	}
	return count;
}

uint64_t exporter_lost(const struct exporter *exporter)
{
	if (!exporter)
		return 0;
	uint64_t lost =
		atomic_load_explicit(&exporter->refused, memory_order_relaxed);
	for (unsigned i = 0; i < exporter->count; i++)
		lost += tracer_lost(exporter->tracers[i]);
	return lost;
}

static void log_lost(struct exporter *exporter)
{
	uint64_t lost = exporter_lost(exporter);
	uint64_t now_ns = clock_monotonic_ns();

	if (lost == exporter->lost_logged ||
	    (exporter->logged_at_ns &&
	     now_ns - exporter->logged_at_ns < lost_log_ns))
		return;
	LOG(LOG_WARNING, "traces_lost",
	    LOG_INT("count", lost - exporter->lost_logged));
	exporter->lost_logged = lost;
	exporter->logged_at_ns = now_ns;
}

/* --- the thread ----------------------------------------------------------- */

/* Wait for the period to pass; true: the thread is to end. */
static bool pause_or_stop(struct exporter *exporter)
{
	struct timespec until;

	(void)clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += PERIOD_MS * (long)CLOCK_NS_PER_MS;
	if (until.tv_nsec >= (long)CLOCK_NS_PER_S) {
		until.tv_nsec -= (long)CLOCK_NS_PER_S;
		until.tv_sec++;
	}
	(void)pthread_mutex_lock(&exporter->lock);
	if (!exporter->stop)
		(void)pthread_cond_timedwait(&exporter->stopped,
		                             &exporter->lock, &until);
	bool stop = exporter->stop;
	(void)pthread_mutex_unlock(&exporter->lock);
	return stop;
}

static void *run(void *arg)
{
	struct exporter *exporter = arg;
	struct trace trace;

	while (!pause_or_stop(exporter)) {
		exporter->gave_up = false;
		while (send_batch(exporter) == BATCH_MAX && !exporter->gave_up)
			continue;
		log_lost(exporter);
	}
	/* No second try at a collector that does not answer. */
	exporter->gave_up = false;
	while (!exporter->gave_up && send_batch(exporter) > 0)
		continue;
	while (take(exporter, &trace))
		add_refused(exporter, 1);
	exporter->logged_at_ns = 0;
	log_lost(exporter);
	return NULL;
}

/* --- opening and closing -------------------------------------------------- */

static bool open_curl(struct exporter *exporter)
{
	if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
		return false;
	exporter->curl = curl_easy_init();
	exporter->fields =
		curl_slist_append(NULL, "Content-Type: application/json");
	exporter->fields = curl_slist_append(exporter->fields, "Expect:");
	if (!exporter->curl || !exporter->fields)
		return false;
	CURL *curl = exporter->curl;
	return curl_easy_setopt(curl, CURLOPT_URL, exporter->url) == CURLE_OK &&
	       curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https") ==
	               CURLE_OK &&
	       curl_easy_setopt(curl, CURLOPT_HTTPHEADER, exporter->fields) ==
	               CURLE_OK &&
	       curl_easy_setopt(curl, CURLOPT_PROXY, "") == CURLE_OK &&
	       curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
	       curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, (long)POST_MS) ==
	               CURLE_OK &&
	       curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS,
	                        (long)CONNECT_MS) == CURLE_OK &&
	       curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, drop) == CURLE_OK;
}

static bool start(struct exporter *exporter)
{
	pthread_condattr_t attr;

	return open_curl(exporter) &&
	       pthread_mutex_init(&exporter->lock, NULL) == 0 &&
	       pthread_condattr_init(&attr) == 0 &&
	       pthread_condattr_setclock(&attr, CLOCK_MONOTONIC) == 0 &&
	       pthread_cond_init(&exporter->stopped, &attr) == 0 &&
	       pthread_create(&exporter->thread, NULL, run, exporter) == 0;
}

struct exporter *exporter_open(const char *url, unsigned one_in, unsigned count)
{
	if (!url[0])
		return NULL;
	struct exporter *exporter = xcalloc(1, sizeof(*exporter));
	exporter->url = url;
	exporter->count = count;
	exporter->tracers = xcalloc(count, sizeof(struct tracer *));
	for (unsigned i = 0; i < count; i++)
		exporter->tracers[i] = tracer_open(one_in);
	exporter->body = xmalloc(BODY_SIZE);
	if (start(exporter))
		return exporter;
	/* Nothing is freed: the service runs on without traces. */
	LOG(LOG_ERROR, "traces_unavailable",
	    LOG_TEXT("reason", "libcurl or a thread did not start"));
	return NULL;
}

struct tracer *exporter_tracer(struct exporter *exporter, unsigned loop)
{
	return exporter ? exporter->tracers[loop] : NULL;
}

void exporter_close(struct exporter *exporter)
{
	if (!exporter)
		return;
	(void)pthread_mutex_lock(&exporter->lock);
	exporter->stop = true;
	(void)pthread_cond_signal(&exporter->stopped);
	(void)pthread_mutex_unlock(&exporter->lock);
	(void)pthread_join(exporter->thread, NULL);
	curl_easy_cleanup(exporter->curl);
	curl_slist_free_all(exporter->fields);
	curl_global_cleanup();
	for (unsigned i = 0; i < exporter->count; i++)
		tracer_close(exporter->tracers[i]);
	free(exporter->tracers);
	free(exporter->body);
	free(exporter);
}
