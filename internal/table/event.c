#include "table/event.h"

#include <assert.h>

struct event *events_add(struct events *events, unsigned type, unsigned seat)
{
	assert(events->count < EVENTS_MAX);

	struct event *event = &events->list[events->count++];
	*event = (struct event){ .type = (uint8_t)type, .seat = (uint8_t)seat };
	return event;
}

void event_open(struct event *event, unsigned byte)
{
	assert(event->open_len < EVENT_OPEN_MAX && byte <= UINT8_MAX);
	event->open[event->open_len++] = (uint8_t)byte;
}

void event_secret(struct event *event, unsigned byte)
{
	assert(event->secret_len < EVENT_SECRET_MAX && byte <= UINT8_MAX);
	event->secret[event->secret_len++] = (uint8_t)byte;
}
