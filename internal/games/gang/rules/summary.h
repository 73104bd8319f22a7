/*
 * summary.h - what a showdown shows, and the summary of a heist that is over,
 * from which it can be shown again.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "games/gang/rules/heist.h"
#include "poker/hand.h"

/* The summary of a heist that is over; everybody may see all of it. */
struct summary {
	uint8_t number;
	uint8_t players;
	uint8_t outcome;
	uint16_t challenges;
	uint16_t permanent;
	uint8_t specialist;
	uint8_t used_by; /* the seat that used the specialist; 0: none */
	uint8_t community[COMMUNITY_MAX];
	struct pocket pockets[HEIST_PLAYERS_MAX]; /* seat 1 is [0] */
	struct chips red;
	struct question questions[QUESTIONS_MAX];
};

/* A revealed hand. */
struct reveal {
	uint8_t seat;
	uint8_t stars;
	bool in_order; /* not weaker than any hand revealed before */
	struct pocket pocket;
	struct hand hand;
};

/* A question, with the answers so far; everybody may see it. */
enum right { RIGHT_OPEN, RIGHT_NO, RIGHT_YES };
struct asked {
	uint8_t challenge;
	uint8_t about_seat;
	uint8_t right; /* an enum right */
	struct question question;
};

/* A showdown, also one that waits for answers; everybody may see it. */
struct showdown {
	uint8_t heist;
	uint8_t outcome;
	uint8_t reveals_count;
	struct reveal reveals[HEIST_PLAYERS_MAX];
	uint8_t asked_count;
	struct asked asked[QUESTIONS_MAX];
};

/* Sum up a heist that has a showdown. */
void summary_of_heist(const struct heist *heist, struct summary *summary);

/*
 * Write a showdown in which the hands with 1..hands red stars are revealed. The
 * questions are judged once all hands are.
 */
void summary_reveal(const struct summary *summary, unsigned hands,
                    struct showdown *showdown);

/*
 * True if its showdown can be shown: every card exists and is in one place, and
 * every seat holds one red chip.
 */
bool summary_valid(const struct summary *summary);
