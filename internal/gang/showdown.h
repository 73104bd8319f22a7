/*
 * showdown.h - what comes after the red chips: hands are revealed in
 * ascending order of red stars, questions answered, and the heist judged.
 *
 * Some challenges ask the others about the hand with the highest red chip
 * before it is revealed; all who may answer have to agree.
 */
#ifndef GANG_SHOWDOWN_H
#define GANG_SHOWDOWN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "gang/chips.h"
#include "gang/pocket.h"
#include "poker/hand.h"
#include "table/event.h"

struct heist;

/*
 * Kept in states and events by number.  An abandoned heist had no showdown: a
 * player was removed, and the same heist is dealt again.
 */
enum outcome {
	OUTCOME_OPEN,
	OUTCOME_SUCCEEDED,
	OUTCOME_FAILED,
	OUTCOME_ABANDONED
};

enum { QUESTIONS_MAX = 2 };

/* Values are those of value.h; the challenge says of which kind. */
struct question {
	uint8_t agreed; /* once all have said the same; else 0 */
	uint8_t answers[HEIST_PLAYERS_MAX]; /* seat 1 is [0]; 0: none */
};

/* An answer that a player wants to give. */
struct answer {
	uint8_t seat;
	uint8_t challenge; /* the number of the one that asks */
	uint8_t value;
};

/* What is left of a heist that is over: all of it lies open. */
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

/* A hand as it lies on the table. */
struct reveal {
	uint8_t seat;
	uint8_t stars;
	bool in_order; /* not weaker than the strongest revealed before */
	struct pocket pocket;
	struct hand hand;
};

/* A question as everybody sees it. */
enum right { RIGHT_OPEN, RIGHT_NO, RIGHT_YES };
struct asked {
	uint8_t challenge;
	uint8_t about_seat;
	uint8_t right; /* an enum right */
	struct question question;
};

/* A showdown as everybody sees it, also while it waits for answers. */
struct showdown {
	uint8_t heist;
	uint8_t outcome;
	uint8_t reveals_count;
	struct reveal reveals[HEIST_PLAYERS_MAX];
	uint8_t asked_count;
	struct asked asked[QUESTIONS_MAX];
};

/* The red chips are settled: reveal what can be, and judge it if that is all.
 */
void showdown_begin(struct heist *heist, struct events *events);

/* True while a heist waits for answers. */
bool showdown_is_asking(const struct heist *heist);

/*
 * Answer: ERR_HEIST_OVER, ERR_SHOWDOWN_NOT_REACHED, ERR_NOT_ALLOWED_NOW (that
 * is not asked in this heist, is settled, or is what the seat has answered
 * already), ERR_NOT_YOURS_TO_ANSWER.  When all answers are in and agree, the
 * last hand is revealed and the heist judged.
 */
MUST_CHECK enum err showdown_check_answer(const struct heist *heist,
                                          const struct answer *answer);
void showdown_answer(struct heist *heist, const struct answer *answer,
                     struct events *events);

/*
 * Nobody sits at a seat any more, and its answers are gone: go on if all who
 * may answer now have said the same.
 */
void showdown_vacate(struct heist *heist, unsigned seat, struct events *events);

/* The seats that owe an answer: bit n stands for seat n. */
unsigned showdown_waiting_for(const struct heist *heist);

/* The challenge that asks question i (below QUESTIONS_MAX); 0: none does. */
unsigned showdown_asking(uint16_t challenges, unsigned i);

/* What everybody sees of it: once it has begun, and of one that is over. */
void showdown_of_heist(const struct heist *heist, struct showdown *showdown);
void showdown_of_summary(const struct summary *summary,
                         struct showdown *showdown);

/* What is left of a heist that is over. */
void showdown_summarize(const struct heist *heist, struct summary *summary);

/* True if the answers can be, for a heist; or a whole record can. */
bool showdown_valid(const struct heist *heist);
bool summary_valid(const struct summary *summary);

#endif
