/*
 * nim_view.h - what one seat, or a spectator, may see of a game of Nim, and what
 * it may do.
 */
#pragma once

#include "table/ruleset.h"

enum { NIM_SEATS_MIN = 2, NIM_SEATS_MAX = 4, NIM_TAKE_MAX = 3 };
enum { NIM_NUMBER = 99, NIM_STONES_MIN = 9, NIM_STONES_MORE = 5 };

enum nim_verb { VERB_TAKE = VERB_OF_RULESET };
enum { ARG_STONES };

enum nim_event {
#define EVENT(name, number, ...) EVENT_##name = number,
#include "games/nim/rules/nim_event.def"
};

struct nim_view {
	uint8_t seat; /* 0: a spectator */
	uint8_t players;
	uint8_t mover;
	uint8_t stones; /* 0 while they are hidden */
	uint8_t loser;
	uint8_t bound; /* that the seat knows, or 0 */
};
