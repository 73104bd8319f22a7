/*
 * in_flight.h - counts the requests under way to the webhook and to each push
 * service (push/endpoint.h), so that a slow service takes only its share.
 */
#pragma once

#include "store/store.h"

enum {
	IN_FLIGHT_PUSH_MAX = 32, /* of a push service */
	IN_FLIGHT_ALL_PUSH_MAX = 256,
	IN_FLIGHT_WEBHOOK_MAX = 128,
	IN_FLIGHT_MAX = IN_FLIGHT_ALL_PUSH_MAX + IN_FLIGHT_WEBHOOK_MAX,
};

/* Zeroed: no request is under way. */
struct in_flight {
	unsigned webhook_count;
	unsigned push_count;
	size_t used_count;
	struct store_used used[STORE_SERVICES_MAX];
};

/* Count a request that begins. */
void in_flight_enter_webhook(struct in_flight *in_flight);
void in_flight_enter_push(struct in_flight *in_flight, store_service service);

/* It has ended. */
void in_flight_leave_webhook(struct in_flight *in_flight);
void in_flight_leave_push(struct in_flight *in_flight, store_service service);

/* Write the limits that are left, and the room in use. */
void in_flight_limit(const struct in_flight *in_flight,
                     struct store_taking *taking);
