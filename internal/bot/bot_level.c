/*
 * The levels are constant rows; nothing is kept.
 */
#include "bot/bot_level.h"

#include <assert.h>
#include <string.h>

static const struct bot_level_row levels[] = {
#define BOT_LEVEL(name, ...) [BOT_##name] = { __VA_ARGS__ },
#include "bot/bot_level.def"
};

const struct bot_level_row *bot_level_get(enum bot_level level)
{
	assert(level < BOT_LEVEL_COUNT);
	return &levels[level];
}

bool bot_level_parse(const char *code, size_t len, enum bot_level *level)
{
	for (unsigned i = 0; i < BOT_LEVEL_COUNT; i++) {
		if (strlen(levels[i].code) == len &&
		    memcmp(levels[i].code, code, len) == 0) {
			*level = (enum bot_level)i;
			return true;
		}
	}
	return false;
}
