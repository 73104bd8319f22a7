/*
 * bot_input.h - what a bot knows when it decides, and what it decides.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"
#include "bot/bot_level.h"
#include "table/action.h"
#include "table/event.h"

/* All that one bot knows when it decides. */
struct bot_input {
	const void *view; /* rules->view() of the bot's seat; not of seat 0 */
	/*
	 * As bot_see() wrote them, oldest first; NULL if there are none.  With
	 * more than BOT_EVENTS_MAX the newest are enough: a bot that misses
	 * events plays worse, but never illegally.
	 */
	const struct event *events;
	size_t events_count;
	enum bot_level level;
	uint8_t persons; /* bit n: a person sits at seat n; 0: bots alone */
	uint8_t seed[RNG_SEED_SIZE];
};
enum { BOT_EVENTS_MAX = 512 };

struct bot_decision {
	struct action action; /* of the view's seat; VERB_NONE: nothing to do */
	uint32_t think_ms;    /* that a person would think about it */
};

/* The same, before it is known how fast the bot of a level thinks. */
struct bot_choice {
	struct action action;
	unsigned
		hesitation; /* 0..1000: the share of the level's longest time */
};
