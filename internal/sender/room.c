/*
 * A host has a place as long as requests to it are on their way, so the places
 * are no more than the deliveries.
 */
#include "sender/room.h"

#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <strings.h>

static struct room_host *find(struct room *room, const char *host)
{
	struct room_host *free_place = NULL;

	for (unsigned i = 0; i < ROOM_HOSTS; i++) {
		struct room_host *place = &room->hosts[i];

		if (place->count && strcasecmp(place->name, host) == 0)
			return place;
		if (!place->count && !free_place)
			free_place = place;
	}
	return free_place;
}

bool room_enter(struct room *room, const char *host, unsigned max,
                uint64_t now_ns)
{
	struct room_host *place = find(room, host);

	if (!place || place->count >= max)
		return false;
	if (place->count++ == 0) {
		(void)snprintf(place->name, sizeof(place->name), "%s", host);
		place->good_ns = now_ns;
	}
	return true;
}

void room_leave(struct room *room, const char *host, uint64_t now_ns)
{
	struct room_host *place = find(room, host);

	assert(place && place->count > 0);
	place->count--;
	if (now_ns)
		place->good_ns = now_ns;
}

uint64_t room_good_ns(struct room *room, const char *host)
{
	const struct room_host *place = find(room, host);

	return place && place->count > 0 ? place->good_ns : 0;
}
