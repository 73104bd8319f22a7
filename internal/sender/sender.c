/*
 * sender.c - the loop of gangd-push, in one thread.
 *
 * A notification that was taken either begins a delivery, or is settled at
 * once: it is out of date, its time is over, or its host has as many requests
 * on their way as it may (then it rests for some seconds).  What is settled is
 * gathered, and one statement a turn says so.  A statement that fails says
 * nothing: the leases end, and what was sent is sent again under its id.
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
#include "sender/delivery.h"
#include "sender/intake.h"
#include "sender/room.h"
#include "sender/settled.h"
#include "store/store.h"

enum {
	DELIVERIES = 256,
	FULL_REST_MS = 2000,
	LIVELY_REST_MS = 150,
};

_Static_assert((int)INTAKE_LEASE_MS > DELIVERY_MS + 5000,
               "a lease outlasts a delivery");
_Static_assert((int)DELIVERIES <= (int)ROOM_HOSTS, "each host has a place");

static const uint64_t idle_ns = 250 * CLOCK_NS_PER_MS; /* the longest wait */
static const uint64_t lively_for_ns = 1000 * CLOCK_NS_PER_MS;

/* What becomes of a notification, for metrics. */
enum outcome {
	OUTCOME_DELIVERED,
	OUTCOME_FAILED,  /* and is tried again */
	OUTCOME_GAVE_UP, /* after a day, or refused for good */
	OUTCOME_GONE,    /* the push service does not know the subscription */
	OUTCOME_DROPPED, /* the player has seen it, or nobody wants it */
	OUTCOME_PUT_OFF, /* its host had enough to do */
	OUTCOMES
};

struct sender {
	struct sender_config config;
	CURLM *multi;
	struct intake intake;
	unsigned busy; /* deliveries on their way */
	struct room room;
	struct settled settled;
	struct delivery deliveries[DELIVERIES];
};

static void count(enum delivery_target target, enum outcome outcome)
{
	metric_add(METRIC_PUSH_DELIVERIES,
	           target * METRIC_ROOM_PUSH_OUTCOME + outcome, 1);
}

void sender_name_metrics(void)
{
	static const char *const targets[DELIVERY_TARGETS] = { "web_push",
		                                               "webhook" };
	static const char *const outcomes[OUTCOMES] = {
		"delivered", "failed", "gave_up", "gone", "dropped", "put_off",
	};

	for (unsigned i = 0; i < DELIVERY_TARGETS; i++)
		metric_name_pair(METRIC_LABEL_PUSH_TARGET, i, "target",
		                 targets[i]);
	for (unsigned i = 0; i < OUTCOMES; i++)
		metric_name_pair(METRIC_LABEL_PUSH_OUTCOME, i, "outcome",
		                 outcomes[i]);
}

/* A bad draw makes pauses alike, no more. */
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
	struct store_subscription subscription = {
		.game = key->game,
		.endpoint_hash = key->target,
	};

	store_unsubscribe(sender->config.store, &subscription, on_forgotten,
	                  sender);
}

/* After a try that failed. */
static enum outcome try_again(struct sender *sender,
                              const struct store_notification_key *key,
                              enum delivery_target target, unsigned attempts,
                              uint32_t left_s, uint32_t retry_after_s)
{
	uint32_t rest_ms =
		schedule_next_ms(attempts + 1, retry_after_s, draw());
	uint8_t failed =
		attempts < UINT8_MAX ? (uint8_t)(attempts + 1) : UINT8_MAX;

	if (rest_ms / 1000 >= left_s) {
		settled_for_good(&sender->settled, key, target, failed);
		return OUTCOME_GAVE_UP;
	}
	settled_add(&sender->settled, key, failed, STORE_DUE_AGAIN, rest_ms);
	return OUTCOME_FAILED;
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

static void end_delivery(struct sender *sender, struct delivery *delivery,
                         CURLcode code)
{
	uint32_t retry_after_s;
	enum outcome outcome = OUTCOME_DELIVERED;
	enum delivery_end end = delivery_end(delivery, &retry_after_s);

	sender->busy--;
	room_leave(&sender->room, delivery->service,
	           end == DELIVERY_DONE ? clock_monotonic_ns() : 0);
	log_end(delivery, code);
	switch (end) {
	case DELIVERY_DONE:
		observe(sender, delivery);
		settled_for_good(&sender->settled, &delivery->key,
		                 delivery->target, delivery->attempts);
		break;
	case DELIVERY_GONE:
		outcome = OUTCOME_GONE;
		forget_subscription(sender, &delivery->key);
		break;
	case DELIVERY_REFUSED:
		outcome = OUTCOME_GAVE_UP;
		settled_for_good(&sender->settled, &delivery->key,
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
	struct delivery *delivery = sender->deliveries;

	while (delivery->is_busy)
		delivery++;
	assert(delivery < sender->deliveries + DELIVERIES);
	return delivery;
}

/* Nobody is to be told, or not any more. */
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

/* A host with as many requests as it may have rests longer if none succeeds. */
static void put_off(struct sender *sender,
                    const struct store_notification *taken, const char *host)
{
	uint64_t good_ns = room_good_ns(&sender->room, host);
	bool is_lively = clock_monotonic_ns() - good_ns < lively_for_ns;
	uint32_t rest_ms = is_lively ? LIVELY_REST_MS : FULL_REST_MS;

	settled_add(&sender->settled, &taken->key, taken->attempts,
	            STORE_DUE_AGAIN, rest_ms + draw() % rest_ms);
}

/* Nothing will ever be sent. */
static void give_up(struct sender *sender,
                    const struct store_notification *taken,
                    enum delivery_target target)
{
	settled_for_good(&sender->settled, &taken->key, target,
	                 taken->attempts);
	count(target, OUTCOME_GAVE_UP);
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
	if (!room_enter(&sender->room, delivery->service,
	                target == DELIVERY_PUSH ? ROOM_PUSH_MAX
	                                        : ROOM_WEBHOOK_MAX,
	                clock_monotonic_ns())) {
		put_off(sender, taken, delivery->service);
		count(target, OUTCOME_PUT_OFF);
		return;
	}
	if (delivery_begin(delivery, taken) &&
	    curl_multi_add_handle(sender->multi, delivery->curl) == CURLM_OK) {
		sender->busy++;
		return;
	}
	delivery->is_busy = false;
	room_leave(&sender->room, delivery->service, 0);
	give_up(sender, taken, target);
}

static void handle(void *arg, const struct store_notification *taken)
{
	struct sender *sender = arg;
	enum delivery_target target = delivery_target_of(taken);

	if (is_void(sender, taken, target)) {
		settled_add(&sender->settled, &taken->key, taken->attempts,
		            STORE_DELETED, 0);
		count(target, OUTCOME_DROPPED);
	} else if (taken->unsure_ms > 0) {
		settled_add(&sender->settled, &taken->key, taken->attempts,
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

/* Take no more than there is room for: none while it stops. */
static void turn(struct sender *sender, bool stops)
{
	int running;

	store_run(sender->config.store);
	intake_take(&sender->intake, stops ? 0 : DELIVERIES - sender->busy);
	(void)curl_multi_perform(sender->multi, &running);
	end_deliveries(sender);
	settled_flush(&sender->settled);
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
	sender->settled.store = config->store;
	sender->settled.delay_ms = config->delay_ms;
	intake_open(&sender->intake, &sender->config, handle, sender);
	sender->multi = curl_multi_init();
	/* As many as can be in use, so that all of a burst are kept. */
	good = sender->multi &&
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
	free(sender);
}
