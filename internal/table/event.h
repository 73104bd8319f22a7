/*
 * event.h - what happened, one thing at a time.
 *
 * The version of a game is the number of its events.  An event has public
 * data that everybody may see, and private data of which each seat may see its
 * own share.  Only the ruleset understands these bytes, and only its view
 * prints them.  Plain values.
 */
#pragma once

#include <stdint.h>

enum event_type {
#define EVENT(name, number, ...) EVENT_##name = number,
#include "table/event.def"
	EVENT_OF_RULESET = 32
};

enum {
	EVENT_PUBLIC_MAX = 96,
	EVENT_PRIVATE_MAX = 32,
	EVENT_TYPES_MAX = 64, /* above every type */
	EVENTS_MAX = 32,      /* that one action can cause */
};

struct event {
	uint8_t type;  /* an enum event_type, or the ruleset's own */
	uint8_t seat;  /* whose doing; 0 for nobody's */
	uint8_t heist; /* in which part of the game, as the ruleset */
	/* counts them; 0 for none */
	uint8_t color; /* of the round; 0 for none, else 1 + the colour */
	uint8_t public_len;
	uint8_t private_len;
	uint8_t public_data[EVENT_PUBLIC_MAX];
	uint8_t private_data[EVENT_PRIVATE_MAX];
};

/* The events of one action, in their order. */
struct events {
	uint8_t count;
	struct event list[EVENTS_MAX];
};

/*
 * Append an event and return it, for its parts to be filled in.  There is
 * room: EVENTS_MAX is more than any action causes.
 */
struct event *events_add(struct events *events, unsigned type, unsigned seat);

/* "player_joined", of the types that every game has; static, or NULL. */
const char *event_code(unsigned type);

/* Append a byte to the public or the private data. */
void event_put_public(struct event *event, unsigned byte);
void event_put_private(struct event *event, unsigned byte);
