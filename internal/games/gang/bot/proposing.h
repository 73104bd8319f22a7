/*
 * proposing.h - which use of the heist's specialist a bot proposes.
 */
#pragma once

#include "games/gang/bot/belief.h"

/*
 * A use that is likely to help; VERB_NONE if no use is, if it is too early, or
 * if somebody has refused one in this heist.
 */
struct bot_choice proposing_choose(const struct bot_input *input,
                                   struct bot_gang_work *work);
