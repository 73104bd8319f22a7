/*
 * evidence.h - what the events of a heist say about the cards of its seats.
 */
#pragma once

#include "games/gang/bot/belief.h"

/*
 * Write work->beliefs: what is believed after all events of the input, or by
 * the open cards alone if the level has no beliefs.  Does nothing if
 * work->beliefs.of is this input; it must be NULL when a decision begins.
 */
void evidence_follow(const struct bot_input *input, struct bot_gang_work *work);

/*
 * How likely a value is the right answer to a question about a seat whose
 * cards are the only hidden ones, 0..1, after evidence_follow().
 */
float evidence_of_answer(const struct gang_view *view,
                         const struct bot_gang_work *work,
                         const struct asked *asked, unsigned value);
