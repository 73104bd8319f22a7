/*
 * players.h - when players were heard of, and who has been away for too long.
 */
#ifndef SERVICE_PLAYERS_H
#define SERVICE_PLAYERS_H

#include "base/json_out.h"
#include "service/call.h"

/* What the view and the list of players both say of a seat. */
void players_print(const struct call *call, unsigned seat,
                   struct json_out *out);

/*
 * May it matter to a request that frees a seat, which decide_follow() has
 * found, when its player was heard of?  Then call->game.last_seen is wanted.
 */
bool players_ask_absence(const struct call *call);

/* Was nothing heard of the seat's player for as long as the game allows? */
bool players_are_absent(const struct call *call, unsigned seat);

/* When that was decided of: the last time they were heard of; 0: not asked. */
int64_t players_last_seen_us(const struct call *call, unsigned seat);

#endif
