/*
 * loop.h - the event loops, each a thread of its own: the service, from
 * start to stop.
 */
#pragma once

#include "base/setting.h"

struct loops;

/*
 * Start the loops that the settings ask for.  NULL, with the reason on stderr,
 * if one cannot start.
 */
struct loops *loops_open(const struct settings *settings);

/*
 * Begin to stop: /readyz answers 503 at once; after delay_ms no connection is
 * accepted any more, and each loop ends when its requests are answered.
 */
void loops_drain(struct loops *loops, unsigned delay_ms);

/* Wait for all of them to end, and free them. */
void loops_close(struct loops *loops);
