/*
 * sender.c - the loop of gangd-push, in one thread.
 *
 * The sender takes only what it has room for.  A notification that was taken
 * either begins a delivery, or is settled at once: it is out of date, it has
 * expired, or its player's daily quota is used up.  One statement per turn
 * records all that was settled.  If it fails, the leases end, and notifications
 * that were sent are sent again under their ids.
 */
#include "sender/sender.h"

#include <assert.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/random.h"
#include "metric/metric.h"
#include "push/schedule.h"
#include "sender/daily.h"
#include "sender/delivery.h"
#include "sender/in_flight.h"
#include "sender/intake.h"
#include "sender/outcomes.h"
#include "store/store.h"

enum { DELIVERIES = IN_FLIGHT_MAX };

_Static_assert((int)INTAKE_LEASE_MS > DELIVERY_MS + 5000,
               "a lease outlasts a delivery");

static const uint64_t idle_ns = 250 * CLOCK_NS_PER_MS; /* the longest wait */

/* The outcome of a notification, for metrics. */
enum push_outcome {
	PUSH_DELIVERED,
	PUSH_FAILED,     /* and is tried again */
	PUSH_GAVE_UP,    /* after a day, or refused for good */
	PUSH_GONE,       /* the push service does not know the subscription */
	PUSH_DROPPED,    /* the player has seen it, or no recipient */
	PUSH_OVER_QUOTA, /* of the day (daily.h) */
	PUSH_OUTCOME_COUNT
};

struct sender {
	struct sender_config config;
	CURLM *multi;
	struct intake intake;
	unsigned busy; /* deliveries on their way */
	struct in_flight in_flight;
	struct limiter *limiter; /* of daily.h */
	struct outcomes outcomes;
	struct delivery deliveries[DELIVERIES];
};

static void count(enum delivery_target target, enum push_outcome outcome)
{
	metric_add(METRIC_PUSH_DELIVERIES,
	           target * METRIC_ROOM_PUSH_OUTCOME + outcome, 1);
}

void sender_name_metrics(void)
{
	static const char *const targets[DELIVERY_TARGET_COUNT] = { "web_push",
		                                                    "webhook" };
	static const char *const outcomes[PUSH_OUTCOME_COUNT] = {
		"delivered", "failed",  "gave_up",
		"gone",      "dropped", "over_quota",
	};

	for (unsigned i = 0; i < DELIVERY_TARGET_COUNT; i++)
		metric_name_pair(METRIC_LABEL_PUSH_TARGET, i, "target",
		                 targets[i]);
	for (unsigned i = 0; i < PUSH_OUTCOME_COUNT; i++)
		metric_name_pair(METRIC_LABEL_PUSH_OUTCOME, i, "outcome",
		                 outcomes[i]);
}

/* Without random bytes the pauses are only alike. */
static uint32_t draw(void)
{
	uint32_t number = 0;

	return random_bytes(&number, sizeof(number)) ? number : 0;
}

/* --- the end of a delivery ------------------------------------------------ */

static void on_forgotten(void *arg, const struct store_answer *answer)
{
	(void)arg;
	(void)answer;
}

static void forget_subscription(struct sender *sender,
                                const struct store_notification_key *key)
{
	store_forget_target(sender->config.store, key->game, key->target,
	                    on_forgotten, sender);
}

/* After a try that failed. */
static enum push_outcome try_again(struct sender *sender,
                                   const struct store_notification_key *key,
                                   enum delivery_target target,
                                   unsigned attempts, uint32_t left_s,
                                   uint32_t retry_after_s)
{
	uint32_t rest_ms =
		schedule_next_ms(attempts + 1, retry_after_s, draw());
	uint8_t failed =
		attempts < UINT8_MAX ? (uint8_t)(attempts + 1) : UINT8_MAX;

	if (rest_ms / 1000 >= left_s) {
		outcomes_add_last(&sender->outcomes, key, target, failed);
		return PUSH_GAVE_UP;
	}
	outcomes_add(&sender->outcomes, key, failed, STORE_DUE_AGAIN, rest_ms);
	return PUSH_FAILED;
}

static void log_end(const struct delivery *delivery, CURLcode code)
{
	long status = delivery->status;
	char game[UUID_TEXT_LEN + 1];

	uuid_print(delivery->key.game, game);
	LOG(status >= 200 && status <= 299 ? LOG_DEBUG : LOG_INFO,
	    "notification_sent", LOG_TEXT("game", game),
	    LOG_INT("version", delivery->key.version),
	    LOG_INT("seat", delivery->key.seat),
	    LOG_TEXT("target", delivery->target == DELIVERY_PUSH ? "web_push"
	                                                         : "webhook"),
	    LOG_INT("status", status), LOG_INT("attempts", delivery->attempts),
	    LOG_TEXT("reason", code ? curl_easy_strerror(code) : ""));
}

/* The time beyond the delay that was set. */
static void observe(const struct sender *sender,
                    const struct delivery *delivery)
{
	int64_t late_us = clock_wall_us() - delivery->created_us -
	                  (int64_t)sender->config.delay_ms * 1000;

	metric_observe_ns(METRIC_PUSH_SECONDS, delivery->target,
	                  late_us > 0 ? (uint64_t)late_us * 1000 : 0);
}

/* The request has ended, or did not begin. */
static void leave(struct sender *sender, const struct delivery *delivery)
{
	sender->busy--;
	if (delivery->target == DELIVERY_PUSH)
		in_flight_leave_push(&sender->in_flight, delivery->service);
	else
		in_flight_leave_webhook(&sender->in_flight);
}

static void end_delivery(struct sender *sender, struct delivery *delivery,
                         CURLcode code)
{
	uint32_t retry_after_s;
	enum push_outcome outcome = PUSH_DELIVERED;
	enum delivery_end end = delivery_end(delivery, &retry_after_s);

	leave(sender, delivery);
	log_end(delivery, code);
	switch (end) {
	case DELIVERY_DONE:
		observe(sender, delivery);
		outcomes_add_last(&sender->outcomes, &delivery->key,
		                  delivery->target, delivery->attempts);
		break;
	case DELIVERY_GONE:
		outcome = PUSH_GONE;
		forget_subscription(sender, &delivery->key);
		break;
	case DELIVERY_REFUSED:
		outcome = PUSH_GAVE_UP;
		outcomes_add_last(&sender->outcomes, &delivery->key,
		                  delivery->target, delivery->attempts);
		break;
	case DELIVERY_FAILED:
		outcome = try_again(sender, &delivery->key, delivery->target,
		                    delivery->attempts, delivery->left_s,
		                    retry_after_s);
		break;
	}
	count(delivery->target, outcome);
}

static void end_deliveries(struct sender *sender)
{
	CURLMsg *message;
	int left;

	while ((message = curl_multi_info_read(sender->multi, &left))) {
		struct delivery *delivery;
		CURLcode code = message->data.result;

		if (message->msg != CURLMSG_DONE ||
		    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE,
		                      (char **)&delivery) != CURLE_OK)
			continue;
		(void)curl_multi_remove_handle(sender->multi,
		                               message->easy_handle);
		end_delivery(sender, delivery, code);
	}
}

/* --- what was taken ------------------------------------------------------- */

static struct delivery *find_free(struct sender *sender)
{
	unsigned i = 0;

	while (sender->deliveries[i].is_busy) {
		i++;
		assert(i < DELIVERIES);
	}
	return &sender->deliveries[i];
}

/* There is no recipient, or not any more; or the player has seen it. */
static bool is_void(const struct sender *sender,
                    const struct store_notification *taken,
                    enum delivery_target target)
{
	bool has_target =
		target == DELIVERY_WEBHOOK
			? sender->config.webhook_url[0] != '\0'
			: sender->config.vapid &&
				  (taken->subscription || taken->is_damaged);

	return taken->is_watching || !has_target;
}

/* It can never be sent. */
static void give_up(struct sender *sender,
                    const struct store_notification *taken,
                    enum delivery_target target)
{
	outcomes_add_last(&sender->outcomes, &taken->key, target,
	                  taken->attempts);
	count(target, PUSH_GAVE_UP);
}

static void enter(struct sender *sender, const struct delivery *delivery)
{
	sender->busy++;
	if (delivery->target == DELIVERY_PUSH)
		in_flight_enter_push(&sender->in_flight, delivery->service);
	else
		in_flight_enter_webhook(&sender->in_flight);
}

/* Give a notification to libcurl. */
static void begin(struct sender *sender, const struct store_notification *taken)
{
	struct delivery *delivery = find_free(sender);
	enum delivery_target target = delivery_target_of(taken);

	if (!delivery_aim(delivery, taken)) {
		give_up(sender, taken, target);
		return;
	}
	if (target == DELIVERY_PUSH &&
	    !daily_take(sender->limiter, &taken->key, delivery->endpoint.url)) {
		outcomes_add(&sender->outcomes, &taken->key, taken->attempts,
		             STORE_DELETED, 0);
		count(target, PUSH_OVER_QUOTA);
		return;
	}
	enter(sender, delivery);
	if (delivery_begin(delivery, taken) &&
	    curl_multi_add_handle(sender->multi, delivery->curl) == CURLM_OK)
		return;
	delivery->is_busy = false;
	leave(sender, delivery);
	give_up(sender, taken, target);
}

static void handle(void *arg, const struct store_notification *taken)
{
	struct sender *sender = arg;
	enum delivery_target target = delivery_target_of(taken);

	if (is_void(sender, taken, target)) {
		outcomes_add(&sender->outcomes, &taken->key, taken->attempts,
		             STORE_DELETED, 0);
		count(target, PUSH_DROPPED);
	} else if (taken->unsure_ms > 0) {
		outcomes_add(&sender->outcomes, &taken->key, taken->attempts,
		             STORE_DUE_AGAIN, taken->unsure_ms);
	} else if (taken->left_s == 0) {
		give_up(sender, taken, target);
	} else if (taken->is_damaged) {
		count(target, try_again(sender, &taken->key, target,
		                        taken->attempts, taken->left_s, 0));
	} else {
		begin(sender, taken);
	}
}

/* --- the loop ------------------------------------------------------------- */

static int wait_ms(const struct sender *sender)
{
	uint64_t wait_ns = store_timeout_ns(sender->config.store);
	uint64_t take_ns = intake_wait_ns(&sender->intake);

	if (!sender->intake.is_asking && sender->busy < DELIVERIES &&
	    take_ns < wait_ns)
		wait_ns = take_ns;
	if (wait_ns > idle_ns)
		wait_ns = idle_ns;
	return (int)((wait_ns + CLOCK_NS_PER_MS - 1) / CLOCK_NS_PER_MS);
}

/* Wait for the store, for libcurl, or for stop_fd: true if that is readable. */
static bool wait_for_anything(struct sender *sender, int stop_fd)
{
	struct curl_waitfd fds[] = {
		{ .fd = store_fd(sender->config.store),
		  .events = CURL_WAIT_POLLIN },
		{ .fd = stop_fd, .events = CURL_WAIT_POLLIN },
	};

	(void)curl_multi_poll(sender->multi, fds, ARRAY_LEN(fds),
	                      wait_ms(sender), NULL);
	return fds[1].revents != 0;
}

/* Nothing is taken while it stops. */
static void turn(struct sender *sender, bool stops)
{
	int running;

	store_run(sender->config.store);
	if (!stops)
		intake_take(&sender->intake, &sender->in_flight);
	(void)curl_multi_perform(sender->multi, &running);
	end_deliveries(sender);
	outcomes_flush(&sender->outcomes);
	store_flush(sender->config.store);
	log_flush();
}

void sender_run(struct sender *sender, int stop_fd)
{
	uint64_t stop_at_ns;

	log_gather();
	metric_begin();
	while (!wait_for_anything(sender, stop_fd))
		turn(sender, false);
	stop_at_ns = clock_monotonic_ns() + SENDER_STOP_MS * CLOCK_NS_PER_MS;
	while (clock_monotonic_ns() < stop_at_ns &&
	       (sender->busy || sender->intake.is_asking)) {
		turn(sender, true);
		(void)curl_multi_poll(sender->multi, NULL, 0, 20, NULL);
	}
	turn(sender, true);
}

/* --- opening and closing -------------------------------------------------- */

struct sender *sender_open(const struct sender_config *config)
{
	struct sender *sender = xcalloc(1, sizeof(*sender));
	bool good = true;

	sender->config = *config;
	sender->outcomes.store = config->store;
	sender->outcomes.delay_ms = config->delay_ms;
	intake_open(&sender->intake, &sender->config, handle, sender);
	sender->limiter = limiter_open();
	sender->multi = curl_multi_init();
	/* All that can be in use, so that a burst keeps its connections. */
	good = sender->limiter && sender->multi &&
	       curl_multi_setopt(sender->multi, CURLMOPT_MAXCONNECTS,
	                         (long)DELIVERIES) == CURLM_OK;
	for (unsigned i = 0; i < DELIVERIES; i++)
		good = delivery_open(&sender->deliveries[i], &sender->config) &&
		       good;
	if (good)
		return sender;
	sender_close(sender);
	return NULL;
}

void sender_close(struct sender *sender)
{
	if (!sender)
		return;
	for (unsigned i = 0; i < DELIVERIES; i++) {
		struct delivery *delivery = &sender->deliveries[i];

		if (delivery->is_busy)
			(void)curl_multi_remove_handle(sender->multi,
			                               delivery->curl);
		delivery_close(delivery);
	}
	(void)curl_multi_cleanup(sender->multi);
	intake_close(&sender->intake);
	limiter_close(sender->limiter);
	free(sender);
}
