/*
 * explain.h - what a refusal says of the present state of the game.
 */
#pragma once

#include "service/call.h"

/*
 * Add to a refusal of ERR_KIND_CONFLICT the member "now", made from the
 * caller's view, and a detail that fits the case.  A caller who joins has no
 * view yet and gets the game's status alone.  Other refusals stay as they
 * are.
 */
void explain_conflict(struct call *call, enum err err);
