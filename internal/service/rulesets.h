/*
 * rulesets.h - the games that the service knows, see games/rulesets.def.
 */
#pragma once

#include <stddef.h>

#include "table/ruleset.h"

struct game;

/* The ruleset with this number in the database; NULL if none has it. */
const struct ruleset *rulesets_find(unsigned number);

/*
 * End the program if two games have a number or a code in common: their own, or
 * that of a notification.
 */
void rulesets_check(void);

/* How many there are. */
size_t rulesets_count(void);

/* The codes of all rulesets, and a game by its place in that list. */
const char *const *rulesets_codes(size_t *count);
const struct game *rulesets_at(size_t index);

/* The place of a ruleset, which must be in the list; and its game. */
unsigned rulesets_place(const struct ruleset *rules);
const struct game *rulesets_game(const struct ruleset *rules);

/* The codes of the modes of all rulesets. */
const char *const *rulesets_modes(size_t *count);

/* The code of a notification, such as "your_turn"; NULL if no game has it. */
const char *rulesets_push_code(unsigned number);
