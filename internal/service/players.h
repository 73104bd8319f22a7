/*
 * players.h - when players were last seen, and which are absent.
 */
#pragma once

#include "base/json_out.h"
#include "service/call.h"

/* Print the members of a seat that the view and GET …/players share. */
void players_print(const struct call *call, unsigned seat,
                   struct json_out *out);

/*
 * True if a request that frees a seat, which decide_find_leaver() has found,
 * depends on when its player was last seen, and call->game.last_seen is not
 * loaded yet.
 */
bool players_needs_last_seen(const struct call *call);

/* True if the seat's player was last seen longer ago than the game allows. */
bool players_is_absent(const struct call *call, unsigned seat);

/* When the seat's player was last seen, in microseconds; 0: not loaded. */
int64_t players_last_seen_us(const struct call *call, unsigned seat);
