/*
 * recruit.h - the price of a gangster in the street.
 *
 * A gangster of rank 0 is free.  For a higher rank the player shows two cards
 * of the hand, of the same family and one rank lower.  A mercenary of a higher
 * rank than that may stand in for one of the two.  The player keeps one of the
 * cards and exhausts the other.
 */
#pragma once

#include "games/famiglia/rules/gangster.h"

enum { RECRUIT_PAY = 2 };

/* The gangster that a player asks for, and the cards shown for it. */
struct recruit {
	uint8_t gangster;
	uint8_t pay[RECRUIT_PAY]; /* GANGSTER_NONE: no cards are shown */
	uint8_t keep;             /* the one of them that the player keeps */
};

/* The card that is exhausted; GANGSTER_NONE if none is shown. */
unsigned recruit_exhausted(const struct recruit *recruit);

/* The cards of a hand that can pay, or stand in, for a rank above 0. */
uint64_t recruit_cards(uint64_t hand, unsigned gangster, unsigned rank);
uint64_t recruit_stand_ins(uint64_t hand, unsigned rank);

/*
 * Check the cards shown for that rank.  Refuses, in this order, with
 * ERR_PAYMENT_NOT_NEEDED, ERR_PAYMENT_NEEDED, ERR_NOT_IN_HAND, ERR_WRONG_PAIR,
 * ERR_STAND_IN_TOO_LOW, ERR_TWO_STAND_INS.
 */
MUST_CHECK enum err recruit_check(const struct recruit *recruit, unsigned rank,
                                  uint64_t hand);
