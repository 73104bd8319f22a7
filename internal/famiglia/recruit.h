/*
 * recruit.h - the price of a gangster in the street.
 *
 * A zero is free.  Of a higher rank one shows two cards of the hand that are of
 * its family and one rank lower; the place of one of the two may be taken by a
 * mercenary that is above the rank it stands for.  One card goes back to the
 * hand, the other is exhausted.
 */
#pragma once

#include "famiglia/gangster.h"

enum { RECRUIT_PAY = 2 };

/* The recruiting that a player wants. */
struct recruit {
	uint8_t gangster;
	uint8_t pay[RECRUIT_PAY]; /* GANGSTER_NONE: nothing is shown */
	uint8_t keep;             /* which of them goes back to the hand */
};

/* The one of the two that is exhausted; GANGSTER_NONE if it is free. */
unsigned recruit_exhausted(const struct recruit *recruit);

/* The cards of a hand that can be shown for a gangster of this rank above 0. */
uint64_t recruit_cards(uint64_t hand, unsigned gangster, unsigned rank);
uint64_t recruit_stand_ins(uint64_t hand, unsigned rank);

/* True if the hand can pay for the gangster. */
bool recruit_is_affordable(uint64_t hand, unsigned gangster, unsigned rank);

/*
 * Whether what is shown is right for that rank: ERR_PAYMENT_NOT_NEEDED,
 * ERR_PAYMENT_NEEDED, ERR_NOT_IN_HAND, ERR_WRONG_PAIR, ERR_STAND_IN_TOO_LOW,
 * ERR_TWO_STAND_INS.
 */
MUST_CHECK enum err recruit_check(const struct recruit *recruit, unsigned rank,
                                  uint64_t hand);
