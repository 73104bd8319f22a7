/*
 * taking.h - which chip a bot takes.
 */
#pragma once

#include "games/gang/bot/belief.h"

/* A chip to take; VERB_NONE if the bot is content, or no chip can move. */
struct bot_choice taking_choose(const struct bot_input *input, struct rng *rng,
                                struct bot_gang_work *work);
