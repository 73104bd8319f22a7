#include "gang/challenge.h"

#include <assert.h>
#include <stddef.h>

#include "base/err.h"
#include "gang/color.h"

enum { POCKET_CARDS_USUAL = 2 };

/* Noise Sensors: the one-star chips of the first three rounds. */
static bool lock_lowest(struct challenge_chip chip)
{
	return chip.color != COLOR_RED && chip.stars == 1;
}

/* Ventilation Shaft: the chips with the most stars of those rounds. */
static bool lock_highest(struct challenge_chip chip)
{
	return chip.color != COLOR_RED && chip.stars == chip.players;
}

static const struct challenge rows[CHALLENGE_MAX + 1] = {
#define CHALLENGE(name, number, text, ...) \
	[number] = { .code = (text), __VA_ARGS__ },
#include "gang/challenge.def"
};

const struct challenge *challenge_get(unsigned number)
{
	assert(number <= CHALLENGE_MAX && rows[number].code);
	return &rows[number];
}

static bool is_active(uint16_t active, unsigned number)
{
	return active >> number & 1;
}

/* True if this number or a higher one may be among the active. */
static bool more(uint16_t active, unsigned number)
{
	return number <= CHALLENGE_MAX && active >> number;
}

unsigned challenges_pocket_cards(uint16_t active)
{
	unsigned cards = POCKET_CARDS_USUAL;

	for (unsigned number = 1; more(active, number); number++) {
		if (is_active(active, number) && rows[number].pocket_cards)
			cards = rows[number].pocket_cards;
	}
	return cards;
}

bool challenges_skip_round(uint16_t active, unsigned round)
{
	for (unsigned number = 1; more(active, number); number++) {
		if (is_active(active, number) &&
		    rows[number].skips_round == round)
			return true;
	}
	return false;
}

bool challenges_lock_chip(uint16_t active, struct challenge_chip chip)
{
	for (unsigned number = 1; more(active, number); number++) {
		if (is_active(active, number) && rows[number].locks &&
		    rows[number].locks(chip))
			return true;
	}
	return false;
}

bool challenges_exist(uint16_t active)
{
	for (unsigned bit = 0; active >> bit; bit++) {
		if (is_active(active, bit) &&
		    (bit > CHALLENGE_MAX || !rows[bit].code))
			return false;
	}
	return true;
}
