/*
 * learning.h - how much a specialist's announcement would tell about a seat.
 *
 * The order of the hands decides a heist, so an announcement is worth as much
 * as it makes clear which of two hands is the stronger one.  Its worth is the
 * variance that it gives to the chance of the seat's hand being above another
 * one, summed over the other seats: 0 if it tells nothing.  All of it follows
 * from what everybody saw, so all seats that believe judge alike.
 */
#pragma once

#include "bot/bot_input.h"

/* Of the ranking of a seat's hand with the present board. */
float learning_of_ranking(const struct bot_work *work, unsigned seat);

/* Of the number of its pocket cards of the rank that is most worth asking. */
struct learning {
	float worth;
	unsigned rank; /* 0..CARD_RANKS - 1 */
};
struct learning learning_of_count(const struct bot_work *work, unsigned seat);

/*
 * How far from its strength the seat is believed to be by one who knows this
 * card of its pocket: a mean square, in 0..1.
 */
float learning_error(const struct bot_work *work, unsigned seat, unsigned card,
                     unsigned strength);
