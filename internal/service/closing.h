/* closing.h - why a stream ends, for its event "closed". */
#pragma once

#include "service/call.h"

/* 0 is unknown: the reason is null then. */
enum closing {
	CLOSING_UNKNOWN,
#define CLOSING(name, ...) CLOSING_##name,
#include "service/closing.def"
};

/* Note the caller's seat in the game that the stream has just shown. */
void closing_note(struct call *call);

/*
 * The part of the event log that says what became of the caller's seat, when
 * the loaded game does not have it any more.  False if the log cannot say it:
 * the game is gone, or the log since the last note is longer than a page.
 */
MUST_CHECK bool closing_page(const struct call *call, struct store_page *page);

/* Find the reason in those events. */
void closing_find(struct call *call, const struct store_event *events,
                  size_t count);

/* The event "closed" with this reason; in the arena. */
const char *closing_event(struct call *call, enum closing reason);
