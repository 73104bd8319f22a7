/*
 * mode.h - the modes of The Gang: the vaults and alarms that end a game, and
 * the cards of each heist.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "games/gang/rules/challenge.h"
#include "games/gang/rules/specialist.h"

enum gang_mode {
#define MODE(name, number, ...) GANG_MODE_##name = number,
#include "games/gang/rules/mode.def"
};

/*
 * The new card of the next heist.  NEXT_PLAIN: none.  NEXT_FOR_LOWEST: a
 * challenge, in place of the active one with the lowest number.
 */
enum next_card { NEXT_PLAIN, NEXT_CHALLENGE, NEXT_SPECIALIST, NEXT_FOR_LOWEST };

/* A row of mode.def.  A set of cards has bit n for number n. */
struct mode {
	uint8_t number;
	const char *code;
	uint8_t vaults_needed;
	uint8_t alarms_limit;
	uint16_t challenges;  /* the cards of the stack that it uses */
	uint16_t specialists; /* likewise */
	uint8_t first_count;  /* random challenges of the first heist */
	bool first_stay;      /* they stay for the whole game */
	enum next_card after_success;
	enum next_card after_failure;
};

/* All rows, and their number. */
const struct mode *gang_mode_list(size_t *count);

/* The row with a number that exists; or with a number or a code, else NULL. */
const struct mode *gang_mode_get(unsigned number);
const struct mode *gang_mode_find(unsigned number);
const struct mode *gang_mode_find_by_code(const char *code);

/* The most challenges and specialists that a heist can have in a mode. */
unsigned gang_mode_challenges_max(const struct mode *mode);
unsigned gang_mode_specialists_max(const struct mode *mode);
