/*
 * seating.h - what players say of themselves: name, avatar and token of the
 * player who sits down, or changes them later; and the names in events.
 */
#pragma once

#include "base/json_out.h"
#include "service/call.h"

/*
 * Read name and avatar, or the name alone, from the body, into call->wanted.
 * Without name_needed the name may be absent too.
 */
void seating_decode(struct call *call, bool name_needed);
void seating_decode_name(struct call *call, bool name_needed);

/* Read client_reference, which the operator's webhook gets. */
void seating_decode_reference(struct call *call);

/* Free a seat of a game; the seats after it may move up by one. */
void seating_free(struct store_game *game, unsigned seat, bool closes_up);

/*
 * Prepare the seats that a decided move commits: those of players who join or
 * change, and of the bots.  ERR_INVALID, with a fault, if another player of the
 * game has the name.
 */
MUST_CHECK enum err seating_decide(struct call *call);

/* Add names to those decided events that name players; the seats are decided.
 */
void seating_name_events(struct call *call);

/*
 * Print the data of an event that names players; false if it is damaged.  A
 * name is null if the log does not have it: the event is older than names in
 * the log, or the person was erased.
 */
MUST_CHECK bool seating_print_event(const struct store_event *event,
                                    struct arena *arena, struct json_out *out);
