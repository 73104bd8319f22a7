/*
 * specialist.h - the helpers of a heist, of whom one at most is there.
 *
 * An automatic specialist acts right after the deal; the others once, when all
 * have agreed to a proposal.  ability.h leads through that and asks the
 * specialist's row at named moments; it never asks which card it is.  Each card
 * is a row of specialist.def and at most a few lines of specialist.c.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/rng.h"
#include "gang/heist.h"
#include "gang/value.h"
#include "table/event.h"

enum specialist_number {
#define SPECIALIST(name, number, ...) SPECIALIST_##name = number,
#include "gang/specialist.def"
	SPECIALIST_END, /* the numbers rise from 1 without gaps */
	SPECIALIST_MAX = SPECIALIST_END - 1,
	ALL_SPECIALISTS = (1 << SPECIALIST_END) - 2,
};

/* The seats whose private choice the use of a specialist waits for. */
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
	 * Fill in what is announced of a seat: count or value.  Automatic, it
	 * is announced of every seat.
	 */
	void (*announce)(const struct heist *heist, struct announcement *of);

	/*
	 * A seat has chosen one of its options (ability.h).  Without this
	 * moment those who choose only look at their cards.
	 */
	void (*choose)(struct heist *heist, unsigned seat, unsigned card);

	/* All have chosen. */
	void (*settle)(struct heist *heist, struct rng *rng,
	               struct events *events);
};

/* The row of a specialist: a number of enum specialist_number. */
const struct specialist *gang_specialist_get(unsigned number);

/* The row of a heist's specialist; the heist has one. */
const struct specialist *specialist_of(const struct heist *heist);

/* True if there is one with this number. */
bool specialist_exists(unsigned number);
