/*
 * Finds the cards of a hand that can pay for a gangster, and checks those that
 * were shown.  Changes nothing.
 */
#include "games/famiglia/rules/recruit.h"

#include <assert.h>

unsigned recruit_exhausted(const struct recruit *recruit)
{
	return recruit->pay[recruit->keep == recruit->pay[0]];
}

uint64_t recruit_cards(uint64_t hand, unsigned gangster, unsigned rank)
{
	assert(rank >= 1);
	return hand & gangsters_alike(gangster_family(gangster), rank - 1);
}

uint64_t recruit_stand_ins(uint64_t hand, unsigned rank)
{
	uint64_t set = 0;

	assert(rank >= 1);
	for (; rank < GANGSTER_RANKS; rank++)
		set |= gangsters_alike(FAMILY_MERCENARIES, rank);
	return hand & set;
}

/* Both cards are checked for one error before the next error. */
static enum err check_pair(const struct recruit *recruit, unsigned rank)
{
	uint64_t pair = gangsters_just(recruit->pay[0]) |
	                gangsters_just(recruit->pay[1]);
	uint64_t others = pair & ~recruit_cards(pair, recruit->gangster, rank);
	unsigned other = GANGSTER_NONE;

	while ((other = gangsters_next(others, other))) {
		if (gangster_family(other) != FAMILY_MERCENARIES)
			return ERR_WRONG_PAIR;
	}
	if (others & ~recruit_stand_ins(others, rank))
		return ERR_STAND_IN_TOO_LOW;
	return others == pair ? ERR_TWO_STAND_INS : ERR_OK;
}

enum err recruit_check(const struct recruit *recruit, unsigned rank,
                       uint64_t hand)
{
	bool pays = recruit->pay[0] != GANGSTER_NONE;

	if (rank == 0)
		return pays ? ERR_PAYMENT_NOT_NEEDED : ERR_OK;
	if (!pays)
		return ERR_PAYMENT_NEEDED;
	for (unsigned i = 0; i < RECRUIT_PAY; i++) {
		if (!gangsters_have(hand, recruit->pay[i]))
			return ERR_NOT_IN_HAND;
	}
	return check_pair(recruit, rank);
}
