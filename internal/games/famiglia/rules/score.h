/*
 * score.h - the cards of each player, their points, and the winner.
 */
#pragma once

#include <stdbool.h>

#include "games/famiglia/rules/gangster.h"

enum { FAMIGLIA_SEATS = 2 };

/* The cards of one player, as sets. */
struct side {
	uint64_t hand;
	uint64_t display; /* the exhausted ones, which everybody sees */
};

/*
 * Why a game is over; states and events store the number.  A player who leaves
 * or is removed forfeits the game.
 */
enum ending {
	ENDING_OPEN,
	ENDING_LAST_ROUND,
	ENDING_BOTH_PASSED,
	ENDING_FORFEITED
};

/* Why a player has won; events store the number. */
enum decided { DECIDED_NOT, DECIDED_BY_POINTS, DECIDED_BY_CARD };

/*
 * The end of a game.  With ENDING_OPEN the other members are zero; with
 * ENDING_FORFEITED those below the winner are, since the hands stay hidden.
 */
struct result {
	uint8_t ending;  /* an enum ending */
	uint8_t winner;  /* a seat; 0: a draw */
	uint8_t decided; /* an enum decided */
	uint8_t points[FAMIGLIA_SEATS];
	uint64_t hands[FAMIGLIA_SEATS];
};

/*
 * The winner has more points.  With equal points, gangsters of equal worth are
 * put aside in pairs, one of each side, and the most valuable one that is left
 * wins.  sides has FAMIGLIA_SEATS elements; seat 1 is [0].
 */
struct result score_result(const struct side *sides, unsigned ending);

/* The result of a game that the player of this seat has forfeited. */
struct result score_forfeit(unsigned seat);

/* True if a result opens all hands. */
bool result_opens_hands(const struct result *result);
