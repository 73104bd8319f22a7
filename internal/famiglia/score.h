/*
 * score.h - what each player owns, what it is worth, and who has won.
 */
#pragma once

#include <stdbool.h>

#include "famiglia/gangster.h"

enum { FAMIGLIA_SEATS = 2 };

/* The cards of one player, as sets. */
struct side {
	uint64_t hand;
	uint64_t display; /* the exhausted ones, before all eyes */
};

/*
 * Why a game is over; kept in states and events by number.  A game is forfeited
 * by the player who leaves it, or is removed from it.
 */
enum ending {
	ENDING_OPEN,
	ENDING_LAST_ROUND,
	ENDING_BOTH_PASSED,
	ENDING_FORFEITED
};

/* The reason why a player has won; kept in events by number. */
enum decided { DECIDED_NOT, DECIDED_BY_POINTS, DECIDED_BY_CARD };

/*
 * The end of a game: now the hands are open to all.  Of a game that goes on it
 * is ENDING_OPEN, and nothing of the rest holds.  Of a game that was forfeited
 * only the winner is known: nothing is counted, and the hands stay hidden.
 */
struct result {
	uint8_t ending;  /* an enum ending */
	uint8_t winner;  /* a seat; 0: a draw */
	uint8_t decided; /* an enum decided */
	uint8_t points[FAMIGLIA_SEATS];
	uint64_t hands[FAMIGLIA_SEATS];
};

/*
 * The winner has more points; else the most valuable gangster after gangsters
 * of equal worth are put aside in pairs, one of each side.  There are
 * FAMIGLIA_SEATS sides; seat 1 is the first.
 */
struct result score_result(const struct side *sides, unsigned ending);

/* The result of a game that the player of this seat has forfeited. */
struct result score_forfeit(unsigned seat);

/* True if a result opens all hands. */
bool result_opens_hands(const struct result *result);
