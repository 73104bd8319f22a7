/*
 * seating.h - what players say of themselves: name, avatar and token of the
 * player who sits down, or changes them later; and the names in events.
 */
#pragma once

#include "base/json_out.h"
#include "service/call.h"

/*
 * Read name and avatar from the body, into call->wanted.  Without name_needed
 * the name may be absent too.
 */
void seating_decode(struct call *call, bool name_needed);

/*
 * Of a decided move: prepare the seat of the player who joins or changes, if
 * any, to be committed with it.  ERR_INVALID, with a fault, if another player
 * of the game has the name.
 */
MUST_CHECK enum err seating_decide(struct call *call);

/* Add names to those decided events that name players; the seats are decided.
 */
void seating_name_events(struct call *call);

/*
 * Print the data of an event that names players; false if it is damaged.  Names
 * are null where the log has none: before there were names in it, and after a
 * person was erased.
 */
MUST_CHECK bool seating_print_event(const struct store_event *event,
                                    struct arena *arena, struct json_out *out);
