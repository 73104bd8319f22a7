/*
 * Appends events and their bytes.  The arrays hold more than any action writes,
 * so an overflow is a bug of the rules and ends the process.
 */
#include "table/event.h"

#include <assert.h>
#include <stddef.h>

#include "base/macros.h"

struct event *events_add(struct events *events, unsigned type, unsigned seat)
{
	assert(events->count < EVENTS_MAX);

	struct event *event = &events->list[events->count++];
	*event = (struct event){ .type = (uint8_t)type, .seat = (uint8_t)seat };
	return event;
}

void event_put_public(struct event *event, unsigned byte)
{
	assert(event->public_len < EVENT_PUBLIC_MAX && byte <= UINT8_MAX);
	event->public_data[event->public_len++] = (uint8_t)byte;
}

void event_put_private(struct event *event, unsigned byte)
{
	assert(event->private_len < EVENT_PRIVATE_MAX && byte <= UINT8_MAX);
	event->private_data[event->private_len++] = (uint8_t)byte;
}

bool event_has_names(unsigned type)
{
	return type == EVENT_PLAYER_JOINED || type == EVENT_PLAYER_LEFT ||
	       type == EVENT_PLAYER_CHANGED;
}

const char *event_code(unsigned type)
{
	static const char *const codes[] = {
#define EVENT(name, number, code) [number] = (code),
#include "table/event.def"
	};

	return type < ARRAY_LEN(codes) ? codes[type] : NULL;
}
