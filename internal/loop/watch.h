/*
 * watch.h - requests that wait for a game to move on, and streams of what
 * happens in it.
 */
#ifndef LOOP_WATCH_H
#define LOOP_WATCH_H

#include "service/call.h"

/*
 * Notice what happens in the game from now on, if the request may come to wait.
 * Before the game is read, so that nothing is missed.  ERR_RATE_LIMITED if too
 * many from its address wait already.
 */
MUST_CHECK enum err watch_begin(struct call *call);

/* The game was read, which the client knows: sleep.  False if it is to answer.
 */
MUST_CHECK bool watch_sleeps(struct call *call);

/* A page of the log was read for a stream: write it, and go on. */
void watch_streamed(struct call *call);

/* Its client has gone. */
void watch_gone(struct call *call);

#endif
