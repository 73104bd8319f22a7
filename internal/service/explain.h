/*
 * explain.h - what a refusal says of where the game stands.
 */
#ifndef SERVICE_EXPLAIN_H
#define SERVICE_EXPLAIN_H

#include "service/call.h"

/*
 * To a refusal that does not fit the state of the call's game
 * (ERR_KIND_CONFLICT) add "now", as the caller's view has it, and a detail that
 * fits the case. Somebody who joins has no view yet, and is told the game's
 * status alone. Other refusals stay as they are.
 */
void explain_conflict(struct call *call, enum err err);

#endif
