/*
 * stream.h - events as an actor hears them (server-sent events).
 *
 *   A streams /events?after=3       opens the stream; it must be one
 *       header cache-control == "no-store"
 *   A hears {"type":"chip_taken"}   the next event has these members
 *   A hears 3 .events[*].seat == [1,2,3]    the next three are like a page
 *   A sees .version == 8            the next thing is a view, and it is so
 *   A hears nothing                 not now
 *   A hears closed                  and that there will be no more
 *   A hears the end                 but not that there will be no more
 *   A hangs up
 *
 * The runner checks the heard events as a page of these events, and checks that
 * the stream has no other lines, an id for each event, and no gap in the ids.
 */
#pragma once

#include "story.h"

/* Send the request and wait for the beginning of the stream. */
void stream_open(struct story *story, struct exchange *exchange);

/* Carry out what stands behind "hears": the page of what was heard, or NULL. */
struct exchange *stream_hear(struct story *story, struct actor *actor,
                             const char *line);

/* Carry out what stands behind "sees": the view as an answer to GET. */
struct exchange *stream_see(struct story *story, struct actor *actor,
                            const char *line);

/* Be gone. */
void stream_close(struct story *story, struct actor *actor);
