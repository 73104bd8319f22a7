/*
 * waiting.h - the steps of requests that wait for a game to change, and of
 * streams of what happens in it.
 */
#pragma once

#include "loop/step.h"

/* Use a stream ticket up: the caller is the player it was given to. */
extern const struct step waiting_use_ticket;

/*
 * Become a waiter of the game, if the request may wait.  Runs before the game
 * is read, so that no change is missed.
 */
extern const struct step waiting_join;

/*
 * If the client has the view that was read: reply 304, or, as a waiter, sleep
 * until the next one.
 */
extern const struct step waiting_for_change;

/* If the client wants a stream: send the page that was read, and wait. */
extern const struct step waiting_in_stream;

/* The reader of a stream has lost the seat: find out why, and send it. */
extern const struct step waiting_find_reason;

/* The client of a request that waits has closed the connection. */
void waiting_gone(struct run *run);
