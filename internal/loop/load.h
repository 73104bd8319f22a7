/*
 * load.h - read a game, admit who asks, and go on to what the route is for.
 */
#ifndef LOOP_LOAD_H
#define LOOP_LOAD_H

#include "service/call.h"

/* The game of call->game.id; again, if it has changed. */
void load_game(struct call *call);

/* Then when its players were heard of; and go on with that. */
void load_last_seen(struct call *call);

#endif
