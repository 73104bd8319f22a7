/*
 * specialist.h - the specialists, of which a heist has one at most.
 *
 * Each is a row of specialist.def and at most a few lines of specialist.c.
 * ability.c and choice.c ask the row at named moments, the members below; they
 * never ask which specialist it is.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/rng.h"
#include "games/gang/rules/heist.h"
#include "games/gang/rules/value.h"
#include "table/event.h"

enum specialist_number {
#define SPECIALIST(name, number, ...) SPECIALIST_##name = number,
#include "games/gang/rules/specialist.def"
	SPECIALIST_END, /* the numbers rise from 1 without gaps */
	SPECIALIST_MAX = SPECIALIST_END - 1,
	ALL_SPECIALISTS = (1 << SPECIALIST_END) - 2,
};

/* The seats that make a private choice. */
enum choosers { CHOOSER_NOBODY, CHOOSER_SEAT, CHOOSER_ALL };

/* The card that the user draws, to exchange it for a pocket card. */
enum draws { DRAW_NOTHING, DRAW_TOP, DRAW_JACK };

struct specialist {
	const char *code;
	bool is_automatic;
	bool asks_target; /* a proposal names a second seat */
	bool asks_value;  /* a proposal names a rank of cards */
	enum value_kind announces;
	bool announces_count;
	bool strengthens; /* the user's hand, within its ranking */
	enum choosers choosers;
	enum draws draws;

	/*
	 * Fill in the count or the value of the announcement's seat.  An
	 * automatic specialist announces every seat.
	 */
	void (*announce)(const struct heist *heist, struct announcement *of);

	/*
	 * A seat has chosen one of its options (choice.h).  NULL: the choosers
	 * only confirm that they looked at their cards.
	 */
	void (*choose)(struct heist *heist, unsigned seat, unsigned card);

	/* Every chooser has chosen. */
	void (*settle)(struct heist *heist, struct rng *rng,
	               struct events *events);
};

/* The row of a specialist: a number of enum specialist_number. */
const struct specialist *gang_specialist_get(unsigned number);

/* The row of a heist's specialist; the heist has one. */
const struct specialist *specialist_of(const struct heist *heist);

/* True for a number of enum specialist_number. */
bool specialist_exists(unsigned number);
