/*
 * Ranks and rankings as numbers from 1, and their texts.
 */
#include "games/gang/rules/value.h"

#include <assert.h>
#include <stdint.h>

#include "poker/card.h"
#include "poker/hand.h"

unsigned gang_value_max(enum value_kind kind)
{
	static const uint8_t max[] = {
		[VALUE_NONE] = 0,
		[VALUE_RANK] = CARD_RANKS,
		[VALUE_RANKING] = RANKING_COUNT,
	};

	return max[kind];
}

const char *gang_value_text(enum value_kind kind, unsigned value)
{
	static const char ranks[CARD_RANKS][2] = { "2", "3", "4", "5", "6",
		                                   "7", "8", "9", "T", "J",
		                                   "Q", "K", "A" };

	assert(value >= 1 && value <= gang_value_max(kind));
	return kind == VALUE_RANK ? ranks[value - 1]
	                          : ranking_code((enum ranking)(value - 1));
}
