/*
 * The rows of challenge.def, the functions that they name, and one function for
 * each moment of a heist, which asks every active row in the order of the
 * numbers.
 */
#include "games/gang/rules/challenge.h"

#include <assert.h>

#include "games/gang/rules/color.h"

enum { POCKET_CARDS_USUAL = 2 };

/* --- the functions of single cards ---------------------------------------- */

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

static bool has_face(const uint8_t *flop)
{
	for (unsigned i = 0; i < FLOP_CARDS; i++) {
		if (card_is_face(flop[i]))
			return true;
	}
	return false;
}

/* Motion Detector: a face card in the flop, and the lowest white chip. */
static unsigned redraw_lowest(const uint8_t *flop, const struct chips *white)
{
	return white->count && has_face(flop) ? chips_holder(white, 1) : 0;
}

/* Laser Tripwires: no face card in the flop, and the highest white chip. */
static unsigned redraw_highest(const uint8_t *flop, const struct chips *white)
{
	return white->count && !has_face(flop) ? chips_top_holder(white) : 0;
}

/* Retina Scan: a pocket card of that value. */
static bool is_in_pocket(const struct pocket *pocket, const struct hand *hand,
                         unsigned value)
{
	(void)hand;
	return pocket_count_rank(pocket, value - 1) > 0;
}

/* Fingerprint Scan: the ranking of the hand. */
static bool is_ranking(const struct pocket *pocket, const struct hand *hand,
                       unsigned value)
{
	(void)pocket;
	return hand->ranking == value - 1;
}

/* --- the rows ------------------------------------------------------------- */

static const struct challenge rows[CHALLENGE_MAX + 1] = {
#define CHALLENGE(name, number, text, ...) \
	[number] = { .code = (text), __VA_ARGS__ },
#include "games/gang/rules/challenge.def"
};

const struct challenge *gang_challenge_get(unsigned number)
{
	assert(number >= 1 && number <= CHALLENGE_MAX);
	return &rows[number];
}

bool challenges_exist(uint16_t active)
{
	return !(active & ~ALL_CHALLENGES);
}

unsigned challenges_next(uint16_t active, unsigned number)
{
	unsigned above = active & ~0U << (number + 1);

	return above ? (unsigned)__builtin_ctz(above) : 0;
}

/* --- the moments ---------------------------------------------------------- */

#define FOR_EACH(active, number)                                   \
	for (unsigned number = challenges_next(active, 0); number; \
	     number = challenges_next(active, number))

unsigned challenges_pocket_cards(uint16_t active)
{
	unsigned cards = POCKET_CARDS_USUAL;

	FOR_EACH(active, number)
	{
		if (rows[number].pocket_cards)
			cards = rows[number].pocket_cards;
	}
	return cards;
}

bool challenges_skip_round(uint16_t active, unsigned round)
{
	FOR_EACH(active, number)
	{
		if (rows[number].skips_round == round)
			return true;
	}
	return false;
}

bool challenges_hide_chips(uint16_t active)
{
	FOR_EACH(active, number)
	{
		if (rows[number].hides_chips)
			return true;
	}
	return false;
}

bool challenges_lock_chip(uint16_t active, struct challenge_chip chip)
{
	FOR_EACH(active, number)
	{
		if (rows[number].locks && rows[number].locks(chip))
			return true;
	}
	return false;
}

unsigned challenges_asking(uint16_t active, unsigned i)
{
	FOR_EACH(active, number)
	{
		if (rows[number].asks != VALUE_NONE && i-- == 0)
			return number;
	}
	return 0;
}
