/*
 * Points are counted over hand and display together.  Equal points are decided
 * by the greatest worth of which one side has more gangsters than the other.
 */
#include "games/famiglia/rules/score.h"

/* All that a player owns. */
static uint64_t set_of(const struct side *side)
{
	return side->hand | side->display;
}

/* The number of gangsters of a side that are worth that many points. */
static unsigned count_worth(const struct side *side, unsigned points)
{
	uint64_t all = set_of(side);
	unsigned gangster = GANGSTER_NONE;
	unsigned count = 0;

	while ((gangster = gangsters_next(all, gangster)))
		count += gangster_points(gangster) == points;
	return count;
}

/* The seat with more gangsters of the greatest worth that differs; else 0. */
static unsigned compare_cards(const struct side sides[FAMIGLIA_SEATS])
{
	unsigned points = family_points(FAMILY_FAMIGLIA, GANGSTER_RANK_MAX);

	for (; points > 0; points--) {
		unsigned one = count_worth(&sides[0], points);
		unsigned two = count_worth(&sides[1], points);

		if (one != two)
			return one > two ? 1 : 2;
	}
	return 0;
}

struct result score_result(const struct side *sides, unsigned ending)
{
	struct result result = { .ending = (uint8_t)ending };

	for (unsigned i = 0; i < FAMIGLIA_SEATS; i++) {
		result.points[i] = (uint8_t)gangsters_points(set_of(&sides[i]));
		result.hands[i] = sides[i].hand;
	}
	if (result.points[0] != result.points[1]) {
		result.winner = result.points[0] > result.points[1] ? 1 : 2;
		result.decided = DECIDED_BY_POINTS;
		return result;
	}
	result.winner = (uint8_t)compare_cards(sides);
	result.decided = result.winner ? DECIDED_BY_CARD : DECIDED_NOT;
	return result;
}

struct result score_forfeit(unsigned seat)
{
	return (struct result){
		.ending = ENDING_FORFEITED,
		.winner = (uint8_t)(FAMIGLIA_SEATS + 1 - seat),
	};
}

bool result_opens_hands(const struct result *result)
{
	return result->ending != ENDING_OPEN &&
	       result->ending != ENDING_FORFEITED;
}
