/*
 * A service has a place in used as long as requests to it are on their way, so
 * the places are no more than the requests.  The store is asked for no more
 * than room_limit() says, and answers before it is asked again.
 */
#include "sender/room.h"

#include <assert.h>
#include <string.h>

_Static_assert((int)ROOM_ALL_PUSH_MAX <= (int)STORE_SERVICES_MAX,
               "each service has a place");
_Static_assert((int)ROOM_MAX <= (int)STORE_NOTIFICATIONS_MAX,
               "a statement takes as many as there is room for");

static struct store_used *find(struct room *room, store_service service)
{
	for (size_t i = 0; i < room->used_count; i++) {
		if (room->used[i].service == service)
			return &room->used[i];
	}
	return NULL;
}

void room_enter_webhook(struct room *room)
{
	assert(room->webhook_count < ROOM_WEBHOOK_MAX);
	room->webhook_count++;
}

void room_enter_push(struct room *room, store_service service)
{
	struct store_used *used = find(room, service);

	assert(room->push_count < ROOM_ALL_PUSH_MAX);
	room->push_count++;
	if (!used) {
		used = &room->used[room->used_count++];
		*used = (struct store_used){ .service = service };
	}
	used->count++;
}

void room_leave_webhook(struct room *room)
{
	assert(room->webhook_count > 0);
	room->webhook_count--;
}

void room_leave_push(struct room *room, store_service service)
{
	struct store_used *used = find(room, service);

	assert(used && used->count > 0 && room->push_count > 0);
	room->push_count--;
	if (--used->count == 0)
		*used = room->used[--room->used_count];
}

void room_limit(const struct room *room, struct store_taking *taking)
{
	taking->push_limit = ROOM_ALL_PUSH_MAX - room->push_count;
	taking->webhook_limit = ROOM_WEBHOOK_MAX - room->webhook_count;
	taking->room = ROOM_PUSH_MAX;
	taking->used_count = room->used_count;
	memcpy(taking->used, room->used,
	       room->used_count * sizeof(*room->used));
}
