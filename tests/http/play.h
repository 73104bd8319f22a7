/*
 * play.h - how the actors of a table play on, in one line of a story.
 *
 *   round white A1 B2 C3     chips are taken in this order, and the last one
 *                            ends the round
 *   heist right|wrong        the rest of a heist, or a new one if it is over;
 *                            the red chips go by the strength of the hands,
 *                            or against it.  The players answer questions
 *                            truly, and choose the first option of a private
 *                            choice.  $outcome is the heist's outcome
 *
 * Cards are dealt by chance, so these ask the service for the strength of
 * hands; that it knows poker is shown elsewhere.
 */
#pragma once

#include "story.h"

void play_round(struct story *story, const char *arguments);
void play_heist(struct story *story, const char *arguments);

/* The actors at the newest game; seat 1 is [0]. */
enum { SEATS_MAX = 6 };
struct seats {
	size_t count;
	struct actor *actor[SEATS_MAX];
};
struct seats play_seats(struct story *story);

/* Ask, without a body, for a path that is whole or below the actor's game. */
struct exchange *play_ask(struct story *story, struct actor *actor,
                          const char *method, const char *path);
