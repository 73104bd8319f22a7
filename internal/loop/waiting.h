/*
 * waiting.h - the steps of requests that wait for a game to change, and of
 * streams of what happens in it.
 */
#pragma once

#include "loop/step.h"

/* Use a stream ticket up: the caller is the player it was given to. */
extern const struct step waiting_use_ticket;

/*
 * Become a waiter of the game, if the request may come to wait.  Before the
 * game is read, so that no change falls between.
 */
extern const struct step waiting_subscribe;

/*
 * If the client knows the version that was read: wait for the next one, or
 * answer 304.
 */
extern const struct step waiting_for_change;

/* If the client wants a stream: send the page that was read, and wait. */
extern const struct step waiting_in_stream;

/* If the reader of a stream is out of the game: find out why. */
extern const struct step waiting_find_reason;

/* The client of a request that waits has closed the connection. */
void waiting_gone(struct call *call);
