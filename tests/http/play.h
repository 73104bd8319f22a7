/*
 * play.h - how the actors of a table play on, in one line of a story.
 *
 *   round white A1 B2 C3     chips are taken in this order, and the last one
 *                            ends the round
 *   heist right|wrong        the rest of a heist, or a new one if it is over;
 *                            the red chips go by the strength of the hands,
 *                            or against it.  $outcome is what it came to
 *   follow                   everybody does whatever legal_actions offers, at
 *                            random, until the game is over; and whatever it
 *                            does not offer is refused
 *
 * Cards are dealt by chance, so these ask the service for the strength of
 * hands; that it knows poker is shown elsewhere.
 */
#ifndef PLAY_H
#define PLAY_H

#include "story.h"

void play_round(struct story *story, const char *arguments);
void play_heist(struct story *story, const char *arguments);
void play_follow(struct story *story, const char *arguments);

#endif
