/*
 * bot_gang.h - bots at a table of The Gang; bot.h says what a bot is.
 */
#pragma once

#include "bot/bot.h"

/* Their work memory is a struct bot_gang_work. */
extern const struct bot_rules bot_gang;
