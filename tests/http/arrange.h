/*
 * arrange.h - brings certain cards into play, which no setting of the daemon
 * does: a game's state is read from the database, changed by the rules' own
 * functions, and written again, with the events of the deal.
 *
 *   next challenge|specialist CODE
 *                            this card comes up next from its stack
 *   active CODE...           in a first heist that has challenges, these are
 *                            they, as many
 *   deal 1=AhKd 3=2c2d board=JhTs3c4d5d
 *                            before the first chip of a heist is moved: these
 *                            seats hold these cards, and those on the board
 *                            come up after them, in this order;
 *                            arrange_famiglia.h describes Famiglia's deal
 *
 * A named card changes places with the card that was there, so every card is
 * still in one place.  The log does not lead to such a game any more.
 */
#pragma once

#include "base/arena.h"

struct pg_conn;

/* Run the command.  Its fault as text from the arena; NULL when it is done. */
const char *arrange(struct pg_conn *db, const char *game_id,
                    const char *command, struct arena *arena);
