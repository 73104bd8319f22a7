/*
 * bot_famiglia.h - bots at a table of Famiglia; bot.h says what a bot is.
 */
#pragma once

#include "bot/bot_input.h"

/* A legal action of the view's seat; VERB_NONE if it is not its turn. */
struct bot_choice bot_famiglia_choose(const struct bot_input *input,
                                      struct rng *rng, struct bot_work *work);
