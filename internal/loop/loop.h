/*
 * loop.h - the event loops: each a thread with its own HTTP server, its own
 * connections to the database and its own listening socket.  They share the
 * wish to stop, the limits, and what it takes to tell each other of moves.
 */
#ifndef LOOP_LOOP_H
#define LOOP_LOOP_H

#include "base/setting.h"

struct loops;

/*
 * Start them as the settings say.  NULL, with the reason on stderr, when that
 * cannot be.
 */
struct loops *loops_open(const struct settings *settings);

/*
 * Begin to drain: /readyz turns 503 at once; after delay_ms nothing is
 * accepted any more, and each loop ends when its requests are answered.
 */
void loops_drain(struct loops *loops, unsigned delay_ms);

/* Wait for all of them to end, and free them. */
void loops_close(struct loops *loops);

#endif
