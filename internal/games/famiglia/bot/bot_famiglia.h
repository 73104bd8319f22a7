/*
 * bot_famiglia.h - bots at a table of Famiglia; bot.h says what a bot is.
 */
#pragma once

#include "bot/bot.h"

extern const struct bot_rules bot_famiglia;
