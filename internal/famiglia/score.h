/*
 * score.h - what each player owns, what it is worth, and who has won.
 */
#ifndef FAMIGLIA_SCORE_H
#define FAMIGLIA_SCORE_H

#include "famiglia/gangster.h"

enum { FAMIGLIA_SEATS = 2 };

/* What one player owns, as sets. */
struct side {
	uint64_t hand;
	uint64_t display; /* the exhausted ones, before all eyes */
};

/* Why a game is over; kept in states and events by number. */
enum ending { ENDING_OPEN, ENDING_LAST_ROUND, ENDING_BOTH_PASSED };

/* What made a player win; kept in events by number. */
enum decided { DECIDED_NOT, DECIDED_BY_POINTS, DECIDED_BY_CARD };

/* The end of a game: now the hands are open to all. */
struct result {
	uint8_t ending;  /* an enum ending, never ENDING_OPEN */
	uint8_t winner;  /* a seat; 0: a draw */
	uint8_t decided; /* an enum decided */
	uint8_t points[FAMIGLIA_SEATS];
	uint64_t hands[FAMIGLIA_SEATS];
};

/*
 * Who has won: who has more points; else who has the most valuable gangster
 * after those are put aside which the other has the like of.
 */
struct result score_result(const struct side sides[FAMIGLIA_SEATS],
                           unsigned ending);

#endif
