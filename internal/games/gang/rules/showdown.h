/*
 * showdown.h - the showdown after the red chips: hands are revealed in the
 * order of their red stars, questions are answered, and the heist is judged.
 *
 * Some challenges ask about the hand with the most red stars before it is
 * revealed.  The players of the other seats answer, and must agree.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "games/gang/rules/heist.h"
#include "games/gang/rules/summary.h"
#include "table/event.h"

/* An answer that a player asks to give. */
struct answer {
	uint8_t seat;
	uint8_t challenge; /* the number of the asking challenge */
	uint8_t value;
};

/* Begin, once the red chips are settled; judge if no question is asked. */
void showdown_begin(struct heist *heist, struct events *events);

/*
 * Answer.  Refuses with ERR_HEIST_OVER, ERR_SHOWDOWN_NOT_REACHED,
 * ERR_NOT_ALLOWED_NOW (the question is not asked or is settled, or the seat
 * gave the same answer before), ERR_NOT_YOURS_TO_ANSWER.  When the answers to
 * all questions agree, the last hand is revealed and the heist judged.
 */
MUST_CHECK enum err showdown_check_answer(const struct heist *heist,
                                          struct answer answer);
void showdown_answer(struct heist *heist, struct answer answer,
                     struct events *events);

/*
 * Forget the open answers of a seat that became vacant; the answers of the
 * others may now agree.
 */
void showdown_vacate(struct heist *heist, unsigned seat, struct events *events);

/* The seats that owe an answer. */
unsigned showdown_waiting_for(const struct heist *heist);

/* The part of a showdown that everybody sees. */
void showdown_of_heist(const struct heist *heist, struct showdown *showdown);
