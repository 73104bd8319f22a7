/*
 * events.h - the event log of a game as server-sent events.
 */
#pragma once

#include "service/call.h"

/* Begin the reply of a stream: its status and its headers. */
void events_begin_stream(struct call *call);

/*
 * The next piece of a stream, in the arena: the events of call->page.events,
 * and in a stream with views the view, when the page is the last one and the
 * view is newer than the one before.  The stream goes on after what was
 * written.  NULL, after a line in the log, if a row is damaged.
 */
const char *events_encode_stream(struct call *call, size_t *len);
