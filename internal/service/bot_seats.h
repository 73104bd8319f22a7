/*
 * bot_seats.h - the seats that the service plays itself: their names and
 * levels.
 */
#pragma once

#include "auth/name.h"
#include "service/call.h"

/* The code of a level as a seat has it, 1..STORE_BOT_LEVELS; static. */
const char *bot_seats_level(unsigned level);

/*
 * A name for a bot that nobody at the table has, in the arena; another number
 * begins with another name.
 */
struct name bot_seats_name(const struct store_game *game, struct arena *arena,
                           unsigned number);

/* Read the level of bots from a member of the body. */
void bot_seats_decode_level(struct call *call, const char *member);

/*
 * Read the bots of a new game with so many seats from the body, and whether it
 * starts at once.
 */
void bot_seats_decode(struct call *call, unsigned seats);
