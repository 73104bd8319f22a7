/*
 * mode.h - the modes of The Gang: how many vaults and alarms, and what each
 * heist is played with.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gang/challenge.h"
#include "gang/specialist.h"

enum gang_mode {
#define MODE(name, number, ...) GANG_MODE_##name = number,
#include "gang/mode.def"
};

/* The card that the next heist gets, beside those that stay. */
enum next { NEXT_PLAIN, NEXT_CHALLENGE, NEXT_SPECIALIST, NEXT_FOR_LOWEST };

/* A row of mode.def.  Stacks are bits, bit n for the card with number n. */
struct mode {
	uint8_t number;
	const char *code;
	uint8_t vaults_needed;
	uint8_t alarms_limit;
	uint16_t challenges;  /* of the stack, those played with; 0: none */
	uint16_t specialists; /* likewise */
	uint8_t first_count;  /* challenges that come at random at the start */
	bool first_stay;      /* and hold for the whole game */
	enum next after_success;
	enum next after_failure; /* FOR_LOWEST: a challenge, and the one of */
				 /* the active with the lowest number goes */
};

/* All rows, and how many. */
const struct mode *gang_mode_list(size_t *count);

/* The row with a number, which there is; or with a number or a code, or NULL.
 */
const struct mode *gang_mode_get(unsigned number);
const struct mode *gang_mode_find(unsigned number);
const struct mode *gang_mode_find_by_code(const char *code);

/* How many challenges and specialists a heist can have in a mode. */
unsigned gang_mode_challenges_max(const struct mode *mode);
unsigned gang_mode_specialists_max(const struct mode *mode);
