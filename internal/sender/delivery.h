/*
 * delivery.h - one notification on its way to one target: an HTTP request that
 * libcurl carries.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <curl/curl.h>

#include "postgres/records.h"
#include "push/endpoint.h"
#include "push/message.h"
#include "push/web_push.h"
#include "sender/sender_config.h"

enum {
	DELIVERY_MS = 10000,        /* the longest that a request takes */
	DELIVERY_CONNECT_MS = 5000, /* of that, until it is connected */
	DELIVERY_READ_MAX = 4096,   /* bytes of an answer's body, and */
	DELIVERY_HEAD_MAX = 16384,  /* of its header, that are read */
};

enum delivery_target { DELIVERY_PUSH, DELIVERY_WEBHOOK, DELIVERY_TARGET_COUNT };

struct delivery {
	const struct sender_config *config;
	bool is_busy;
	CURL *curl; /* owned; used again */
	struct curl_slist *fields;
	struct store_notification_key key;
	store_service service; /* of Web Push, for in_flight.h */
	enum delivery_target target;
	struct endpoint endpoint; /* of Web Push */
	uint8_t attempts;
	uint32_t left_s;
	int64_t created_us;
	char host[ENDPOINT_HOST_SIZE];
	char text[MESSAGE_SIZE];
	uint8_t body[MESSAGE_SIZE + WEB_PUSH_EXTRA];
	long status;      /* of the answer, once its header is complete; or 0 */
	size_t read;      /* bytes of the answer's body */
	size_t head_read; /* and of its header */
};

/* Make libcurl's handle; false if libcurl fails. */
MUST_CHECK bool delivery_open(struct delivery *delivery,
                              const struct sender_config *config);
void delivery_close(struct delivery *delivery);

/* The target of a notification. */
enum delivery_target delivery_target_of(const struct store_notification *taken);

/*
 * Forget the last use, and set target, service, endpoint and host; false if the
 * subscription is damaged or its host is no longer allowed.
 */
MUST_CHECK bool delivery_aim(struct delivery *delivery,
                             const struct store_notification *taken);

/*
 * Prepare the request of a notification that was aimed; the caller gives curl
 * to libcurl's multi interface.  False if the browser's key is invalid or there
 * are no random bytes; then nothing can be sent.
 */
MUST_CHECK bool delivery_begin(struct delivery *delivery,
                               const struct store_notification *taken);

/* The meaning of an answer. */
enum delivery_end {
	DELIVERY_DONE,
	DELIVERY_GONE,    /* the subscription no longer exists */
	DELIVERY_REFUSED, /* refused for good */
	DELIVERY_FAILED,  /* try again */
};

/*
 * The outcome of a request, decided by its status, not by libcurl's result.
 * *retry_after_s is what the answer asks for, or 0.
 */
enum delivery_end delivery_end(struct delivery *delivery,
                               uint32_t *retry_after_s);
