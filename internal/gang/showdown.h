/*
 * showdown.h - what comes after the red chips: hands are revealed in
 * ascending order of red stars, questions answered, and the heist judged.
 *
 * Some challenges ask the others about the hand with the highest red chip
 * before it is revealed; all who may answer have to agree.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "gang/heist.h"
#include "gang/summary.h"
#include "table/event.h"

/* An answer that a player wants to give. */
struct answer {
	uint8_t seat;
	uint8_t challenge; /* the number of the one that asks */
	uint8_t value;
};

/* The red chips are settled: reveal hands, and judge if no question is open. */
void showdown_begin(struct heist *heist, struct events *events);

/*
 * Answer: ERR_HEIST_OVER, ERR_SHOWDOWN_NOT_REACHED, ERR_NOT_ALLOWED_NOW (that
 * is not asked in this heist, is settled, or is what the seat has answered
 * already), ERR_NOT_YOURS_TO_ANSWER.  When all answers are in and agree, the
 * last hand is revealed and the heist judged.
 */
MUST_CHECK enum err showdown_check_answer(const struct heist *heist,
                                          struct answer answer);
void showdown_answer(struct heist *heist, struct answer answer,
                     struct events *events);

/*
 * Nobody sits at a seat any more, and its answers are gone: go on if all who
 * may answer now have said the same.
 */
void showdown_vacate(struct heist *heist, unsigned seat, struct events *events);

/* The seats that owe an answer: bit n stands for seat n. */
unsigned showdown_waiting_for(const struct heist *heist);

/* The part that everybody sees, once it has begun. */
void showdown_of_heist(const struct heist *heist, struct showdown *showdown);
