/*
 * evidence.h - what the events of a heist say about the cards of its seats.
 */
#pragma once

#include "bot/bot_input.h"

/*
 * Write work->beliefs: what is believed after all events of the input.  The
 * viewer owes no heist that is over.
 */
void evidence_follow(const struct bot_input *input, struct bot_work *work);
