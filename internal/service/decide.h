/*
 * decide.h - from an action to what is committed.  It asks no database.  The
 * rules get the seed alone; the clock and other random bytes serve new ids,
 * invitation codes, sealed answers and bots' seats.
 */
#pragma once

#include "service/call.h"

/*
 * Decide what call->wanted.action does to call->game, with a fresh seed of
 * RNG_SEED_SIZE bytes, and fill in call->decided.  Fails with the refusal of
 * the rules, ERR_INVALID with faults, or ERR_INTERNAL without random bytes;
 * then nothing may be committed.
 */
MUST_CHECK enum err decide_move(struct call *call, const uint8_t *seed);

/*
 * The same for a game that is created.  Draws its id and its invitation code
 * anew each time, since a code may turn out to be in use.
 */
MUST_CHECK enum err decide_creation(struct call *call, const uint8_t *seed);

/*
 * Decide on a rematch: call->decided.ended->move of the loaded game, and
 * call->decided.move of the one that is created.
 */
MUST_CHECK enum err decide_rematch(struct call *call, const uint8_t *seed);

/*
 * Before decide_move() of a player who leaves: find the player's seat, and fill
 * in LEAVE_SEAT and LEAVE_ABSENT of the action.  At the first try the seat is
 * the one asked for, and the hash of its player's token is stored in
 * call->wanted.  After a conflict it is the seat where that player sits by
 * then, or 0: in the lobby the seats close up, and later another player may
 * have taken the seat over.
 */
void decide_find_leaver(struct call *call);

/* True if the player who leaves is the last in a lobby: the game is deleted. */
bool decide_is_last(const struct call *call);

/* After a conflict: what was decided is void, and the game is loaded again. */
void decide_forget(struct call *call);
