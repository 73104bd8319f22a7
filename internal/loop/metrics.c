/*
 * Opening names all values of all labels, so that only the program decides
 * which series exist.  The listener's thread answers a scrape with what the
 * loops have counted so far.
 */
#include "loop/metrics.h"

#include <stdlib.h>

#include "base/log.h"
#include "base/memory.h"
#include "http/http.h"
#include "http/request_metric.h"
#include "http/scrape.h"
#include "metric/metric.h"
#include "service/endings.h"
#include "service/quotas.h"
#include "service/route_table.h"
#include "service/rulesets.h"
#include "tracing/exporter.h"

struct metrics {
	struct metrics_config config;
	struct scrape *scrape;
	struct game_count game_count;
};

static void name_games(void)
{
	size_t count;
	const char *const *codes = rulesets_codes(&count);

	for (unsigned i = 0; i < count; i++)
		metric_name_pair(METRIC_LABEL_RULESET, i, "ruleset", codes[i]);
	metric_name_pair(METRIC_LABEL_OPEN, GAME_COUNT_LOBBY, "status",
	                 status_code(STATUS_LOBBY));
	metric_name_pair(METRIC_LABEL_OPEN, GAME_COUNT_PLAYING, "status",
	                 status_code(STATUS_PLAYING));
}

static void name_all(void)
{
	size_t count;
	const struct http_route *routes = route_table(&count);

	request_metric_names(routes, count);
	metric_name_pair(METRIC_LABEL_VERSION, 0, "version", setting_version());
	metric_name_pair(METRIC_LABEL_WAITER, 0, "kind", "request");
	metric_name_pair(METRIC_LABEL_WAITER, 1, "kind", "stream");
	store_name_metrics();
	name_games();
	quotas_name_metrics();
	endings_name();
}

static char *print(void *arg, size_t *len)
{
	struct metrics *metrics = arg;

	metric_begin();
	metric_set(METRIC_BUILD, 0, 1);
	metric_set(METRIC_CONNECTIONS_MAX, 0, metrics->config.clients_max);
	metric_set(METRIC_DATABASE_CONNECTIONS_MAX, 0,
	           metrics->config.database_connections);
	metric_set(METRIC_LOG_LINES_LOST, 0, log_lines_lost());
	metric_set(METRIC_TRACES_LOST, 0,
	           exporter_lost(metrics->config.exporter));
	atomic_store(&metrics->game_count.is_wanted, true);
	mailbox_wake(metrics->config.mailbox);
	return metric_print(len);
}

struct metrics *metrics_open(const struct metrics_config *config)
{
	struct metrics *metrics = xcalloc(1, sizeof(*metrics));
	struct arena arena;

	metrics->config = *config;
	game_count_init(&metrics->game_count);
	metric_open();
	name_all();
	arena_init(&arena);
	LOG(LOG_INFO, "metrics_listening",
	    LOG_TEXT("address", http_listen_name(config->listen_fd, &arena)));
	arena_fini(&arena);
	metrics->scrape = scrape_open(config->listen_fd, print, metrics);
	return metrics;
}

struct game_count *metrics_game_count(struct metrics *metrics)
{
	return &metrics->game_count;
}

void metrics_close(struct metrics *metrics)
{
	if (!metrics)
		return;
	scrape_close(metrics->scrape);
	game_count_fini(&metrics->game_count);
	metric_close();
	free(metrics);
}
