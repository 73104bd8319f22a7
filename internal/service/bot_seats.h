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

/* The level of a code, or with NULL 0; false if the code is unknown. */
MUST_CHECK bool bot_seats_parse_level(const char *code, unsigned *level);

/* Print the member "bot" of a player, by the level; null for 0, a person. */
void bot_seats_print(unsigned level, struct json_out *out);

/* Print the element of "legal_actions" by which the caller seats a bot. */
void bot_seats_print_legal(const char *game_path, struct json_out *out);

/* Read the level of bots from a member of the body. */
void bot_seats_decode_level(struct call *call, const char *member);

/*
 * Read the bots of a new game with this many seats from the body, and whether
 * it starts at once.
 */
void bot_seats_decode(struct call *call, unsigned seats);
