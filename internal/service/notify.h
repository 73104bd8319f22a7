/*
 * notify.h - which seats are notified of a change, and with which code.  It
 * follows from what every player of the game may see: the status, for whom the
 * table waits, and the types of events.
 */
#pragma once

#include "service/call.h"

/*
 * The version of the loaded game, if its caller has a seat and asks for
 * notifications; else 0.
 */
uint32_t notify_seen_version(const struct call *call);

/*
 * The seats that the table waits for, bit n for seat n; 0 unless the game is
 * played and seats of it ask for notifications.
 */
unsigned notify_waiting(const struct call *call);

/*
 * Fill in call->decided.move.notices of a decided move: the seats of the loaded
 * game that ask for notifications, except the one that moves.  waited is
 * notify_waiting() before the move.
 */
void notify_decide(struct call *call, unsigned waited);
