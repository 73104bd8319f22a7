/*
 * The chips of one colour, kept as the holder of each by its stars. A seat
 * holds at most one: giving a chip to a seat that holds another puts that one
 * back first.
 */
#include "games/gang/rules/chips.h"

#include <assert.h>

void chips_deal(struct chips *chips, unsigned count)
{
	assert(count <= CHIPS_MAX);
	*chips = (struct chips){ .count = (uint8_t)count };
}

unsigned chips_holder(const struct chips *chips, unsigned stars)
{
	assert(stars >= 1 && stars <= chips->count);
	return chips->holder[stars - 1];
}

unsigned chips_top_holder(const struct chips *chips)
{
	return chips_holder(chips, chips->count);
}

unsigned chips_held(const struct chips *chips, unsigned seat)
{
	for (unsigned stars = 1; stars <= chips->count; stars++) {
		if (chips->holder[stars - 1] == seat)
			return stars;
	}
	return 0;
}

void chips_give(struct chips *chips, unsigned stars, unsigned seat)
{
	assert(seat >= 1 && seat <= chips->count);

	unsigned held = chips_held(chips, seat);
	if (held)
		chips_put_back(chips, held);
	chips->holder[stars - 1] = (uint8_t)seat;
	assert(chips_valid(chips));
}

void chips_put_back(struct chips *chips, unsigned stars)
{
	assert(stars >= 1 && stars <= chips->count);
	chips->holder[stars - 1] = CHIPS_CENTER;
}

bool chips_settled(const struct chips *chips)
{
	for (unsigned i = 0; i < chips->count; i++) {
		if (chips->holder[i] == CHIPS_CENTER)
			return false;
	}
	return true;
}

bool chips_valid(const struct chips *chips)
{
	unsigned seen = 0;

	if (chips->count > CHIPS_MAX)
		return false;
	for (unsigned i = 0; i < chips->count; i++) {
		unsigned seat = chips->holder[i];
		if (seat > chips->count)
			return false;
		if (seat != CHIPS_CENTER && (seen >> seat & 1))
			return false;
		seen |= 1U << seat;
	}
	return true;
}
