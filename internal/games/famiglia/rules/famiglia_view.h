/*
 * famiglia_view.h - the part of a game of Famiglia that one viewer may see.
 *
 * Everything that a client receives is printed from a struct famiglia_view, or
 * from an event, in which nothing is hidden.  A view holds neither the order of
 * the draw pile nor the hand of another player; a game that was played to its
 * end opens both hands, a forfeited one does not.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "games/famiglia/rules/famiglia.h"

struct famiglia_view {
	uint8_t seat;    /* the viewer's; 0: a spectator */
	uint8_t players; /* 0 in the lobby: the members below are zero */
	uint8_t starter;
	uint8_t mover;   /* 0 once the game is over */
	bool may_move;   /* the viewer is the mover and sits there */
	bool may_refill; /* the mover */
	struct turn turn;
	struct street street;
	uint8_t pile_count;
	uint8_t discards_count;
	bool second_pass;
	uint8_t last_turn;
	bool has_passed;
	uint8_t hand_counts[FAMIGLIA_SEATS]; /* seat 1 is [0] */
	uint64_t displays[FAMIGLIA_SEATS];
	uint64_t hand;        /* the viewer's own; empty for a spectator */
	struct result result; /* its ending is ENDING_OPEN until it is over */
};

/* Write the view of a seat, or of a spectator (0): a struct famiglia_view. */
void famiglia_view(const void *state, unsigned seat, void *into);

/* Explain a refusal from a struct famiglia_view; see struct ruleset. */
void famiglia_now(const void *from, const struct action *action, enum err err,
                  struct now *now);

/*
 * The hand and the points of a seat, if the viewer may see them: their own, and
 * both after a game that was played to its end.  Else false.
 */
MUST_CHECK bool famiglia_view_hand(const struct famiglia_view *view,
                                   unsigned seat, uint64_t *hand,
                                   unsigned *points);
