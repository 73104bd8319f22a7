/*
 * room.h - how many requests are on their way to each push service (in
 * push/endpoint.h), here called host, so that one which is slow takes no more
 * than its share.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
	ROOM_HOSTS = 256, /* at most as many as there are deliveries */
	ROOM_PUSH_MAX = 32,
	ROOM_WEBHOOK_MAX = 128,
};

struct room_host {
	char name[264]; /* "": the place is free */
	unsigned count;
	uint64_t good_ns; /* when the last request succeeded, or the first began
	                   */
};

/* Zeroed: nothing is on its way. */
struct room {
	struct room_host hosts[ROOM_HOSTS];
};

/* Count a request to a host, of which max may be on their way; false: full. */
bool room_enter(struct room *room, const char *host, unsigned max,
                uint64_t now_ns);

/* It has ended; now_ns is the time if it succeeded, else 0. */
void room_leave(struct room *room, const char *host, uint64_t now_ns);

/*
 * The time of the last one that succeeded, or, before that, when the host was
 * idle; 0: it is.
 */
uint64_t room_good_ns(struct room *room, const char *host);
