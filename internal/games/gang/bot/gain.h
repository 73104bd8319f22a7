/*
 * gain.h - how much a specialist's announcement would say about a seat.
 *
 * The order of the hands decides a heist, so an announcement is worth as much
 * as it makes clear which of two hands is the stronger one.  Its worth is the
 * variance that it gives to the chance of the seat's hand being above another
 * one, summed over the other seats: 0 if it says nothing new.  All of it
 * follows from what everybody saw, so all bots of a level that believes judge
 * alike.
 */
#pragma once

#include "games/gang/bot/belief.h"

/* The worth of announcing the ranking of a seat's hand at the present board. */
float gain_of_ranking(const struct bot_gang_work *work, unsigned seat);

/*
 * The rank of which it is worth most to announce how many pocket cards the seat
 * has, and that worth.
 */
struct gain {
	float worth;
	unsigned rank; /* 0..CARD_RANKS - 1 */
};
struct gain gain_of_count(const struct bot_gang_work *work, unsigned seat);

/*
 * The error of a player who knows this card of the seat's pocket and guesses
 * its strength, which is in fact this one: the mean square, in 0..1, in units
 * of STRENGTH_MAX.  1 if the seat is believed to have no such card.
 */
float gain_error(const struct bot_gang_work *work, unsigned seat, unsigned card,
                 unsigned strength);
