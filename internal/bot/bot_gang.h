/*
 * bot_gang.h - bots at a table of The Gang; bot.h says what a bot is.
 */
#pragma once

#include "bot/bot_input.h"

/* The deal whose events the bot reads. */
unsigned bot_gang_heist(const void *view);

/* Copy the private data of an event that the view's seat sees. */
void bot_gang_share(const void *view, const struct event *event,
                    struct event *seen);

/* An action that the view has among its legal ones; or VERB_NONE. */
struct bot_choice bot_gang_choose(const struct bot_input *input,
                                  struct rng *rng, struct bot_work *work);
