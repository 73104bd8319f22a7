/*
 * The listener's thread answers a scrape with what the sender's thread has
 * counted so far.
 */
#include "sender/push_metrics.h"

#include "base/log.h"
#include "base/setting.h"
#include "http/http.h"
#include "http/scrape.h"
#include "metric/metric.h"
#include "sender/sender.h"
#include "store/store.h"

static char *print(void *arg, size_t *len)
{
	(void)arg;
	metric_begin();
	metric_set(METRIC_BUILD, 0, 1);
	metric_set(METRIC_LOG_LINES_LOST, 0, log_lines_lost());
	return metric_print(len);
}

static void name_all(void)
{
	metric_name_pair(METRIC_LABEL_VERSION, 0, "version", setting_version());
	store_name_metrics();
	sender_name_metrics();
}

bool push_metrics_open(const char *address, struct scrape **scrape)
{
	struct arena arena;

	*scrape = NULL;
	if (!address[0])
		return true;
	int fd = http_listen_for("GANGD_PUSH_METRICS_LISTEN", address);
	if (fd < 0)
		return false;
	metric_open();
	name_all();
	arena_init(&arena);
	LOG(LOG_INFO, "metrics_listening",
	    LOG_TEXT("address", http_listen_name(fd, &arena)));
	arena_fini(&arena);
	*scrape = scrape_open(fd, print, NULL);
	return true;
}

void push_metrics_close(struct scrape *scrape)
{
	if (!scrape)
		return;
	scrape_close(scrape);
	metric_close();
}
