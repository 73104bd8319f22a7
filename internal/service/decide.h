/*
 * decide.h - from an action to what is to be kept of it.
 */
#ifndef SERVICE_DECIDE_H
#define SERVICE_DECIDE_H

#include "service/call.h"

/*
 * Decide what call->wanted.action does, with a fresh seed of RNG_SEED_SIZE
 * bytes, and make call->decided.move of it.
 */
MUST_CHECK enum err decide_move(struct call *call, const uint8_t *seed);

/*
 * The same for a game that is being created.  Draws its id and its code anew
 * each time, since a code may turn out to be in use.
 */
MUST_CHECK enum err decide_creation(struct call *call, const uint8_t *seed);

/*
 * Decide on a rematch: call->decided.ended->move of the loaded game, and
 * call->decided.move of the one that is created.
 */
MUST_CHECK enum err decide_rematch(struct call *call, const uint8_t *seed);

/*
 * Before decide_move() of one who is to leave: fill in LEAVE_SEAT and
 * LEAVE_ABSENT of the action.  The first time the seat is the one asked for,
 * and its player is remembered.  After another change came first it is the seat
 * where that player sits by then, or 0: seats close up before the start, and
 * later somebody else may have taken the seat over.
 */
void decide_follow(struct call *call);

/* True if the seat that leaves is the last of a lobby, which goes with it. */
bool decide_is_last(const struct call *call);

/* What was decided is worth nothing: the game is to be loaded again. */
void decide_forget(struct call *call);

#endif
