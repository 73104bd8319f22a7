/*
 * bot_level.h - the levels of bots: a row of bot_level.def each.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/macros.h"

enum bot_level {
#define BOT_LEVEL(name, ...) BOT_##name,
#include "bot/bot_level.def"
	BOT_LEVEL_COUNT
};

struct bot_level_row {
	const char *code;
	uint16_t think_min_ms; /* of a decision */
	uint16_t think_max_ms;
	uint8_t noise_percent; /* error of the estimate of its own hand */
	bool believes;         /* keeps beliefs about the cards of others */
};

/* The row of a level; static. */
const struct bot_level_row *bot_level_get(enum bot_level level);

/* Read the code of a level; false, and level untouched, if it is unknown. */
MUST_CHECK bool bot_level_parse(const char *code, size_t len,
                                enum bot_level *level);
