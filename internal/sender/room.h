/*
 * room.h - how many requests are on their way to the webhook and to each push
 * service (push/endpoint.h), so that a service that is slow takes no more than
 * its share.
 */
#pragma once

#include "store/store.h"

enum {
	ROOM_PUSH_MAX = 32, /* of a push service */
	ROOM_ALL_PUSH_MAX = 256,
	ROOM_WEBHOOK_MAX = 128,
	ROOM_MAX = ROOM_ALL_PUSH_MAX + ROOM_WEBHOOK_MAX,
};

/* Zeroed: nothing is on its way. */
struct room {
	unsigned webhook_count;
	unsigned push_count;
	size_t used_count;
	struct store_used used[STORE_SERVICES_MAX];
};

/* Count a request that begins. */
void room_enter_webhook(struct room *room);
void room_enter_push(struct room *room, store_service service);

/* It has ended. */
void room_leave_webhook(struct room *room);
void room_leave_push(struct room *room, store_service service);

/* Write the limits that are left, and the room in use. */
void room_limit(const struct room *room, struct store_taking *taking);
