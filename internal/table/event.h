/*
 * event.h - one change of a game, as the event log stores it.
 *
 * The version of a game is the number of its events.  An event has public data
 * for everybody, and private data of which each seat may see its own share.
 * Only the ruleset knows the meaning of these bytes.  Plain values.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum event_type {
#define EVENT(name, number, ...) EVENT_##name = number,
#include "table/event.def"
	EVENT_OF_RULESET = 32
};

enum {
	EVENT_PUBLIC_MAX = 96,
	EVENT_PRIVATE_MAX = 32,
	EVENT_TYPES_MAX = 64, /* every type is below */
	EVENTS_MAX = 32,      /* one action causes fewer */
};

struct event {
	uint8_t type;    /* an enum event_type, or the ruleset's own */
	uint8_t seat;    /* of the player who caused it; 0: no player did */
	uint8_t part;    /* the part of the game, from 1; 0: none */
	uint8_t subpart; /* of that part, from 1; 0: none */
	uint8_t public_len;
	uint8_t private_len;
	uint8_t public_data[EVENT_PUBLIC_MAX];
	uint8_t private_data[EVENT_PRIVATE_MAX];
};

/* The events of one action, in order. */
struct events {
	uint8_t count;
	struct event list[EVENTS_MAX];
};

/* Append an event without part, subpart and data; the caller adds them. */
struct event *events_add(struct events *events, unsigned type, unsigned seat);

/* The code of an event_type, such as "player_joined"; static.  Else NULL. */
const char *event_code(unsigned type);

/*
 * True if the public data of events of this type is text, names first, which
 * the service adds: the rules know no names.
 */
bool event_has_names(unsigned type);

/* Append a byte, 0..255, to the public or the private data. */
void event_put_public(struct event *event, unsigned byte);
void event_put_private(struct event *event, unsigned byte);
