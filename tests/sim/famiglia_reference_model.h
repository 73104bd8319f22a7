/*
 * famiglia_reference_model.h - a game of Famiglia, recomputed from its events
 * alone.
 *
 * The events say where each card is, but for the order of the pile; from that
 * follows what has to come next, and who has won.  The model recomputes all of
 * it without calling the rules.
 */
#pragma once

#include "famiglia_player.h"

enum { CARDS = 60, HAND_OF_A = 1, HAND_OF_B, DISPLAY_OF_A, DISPLAY_OF_B };

enum { IN_PILE = 5, IN_STREET, AMONG_DISCARDS };

/* The print of a card, by number. */
struct fam_printed {
	char family;
	unsigned rank;
	unsigned points;
	const char *text;
};

extern struct fam_printed fam_printed[CARDS + 1];

/* Fill fam_printed; call it first. */
void fam_model_read_cards(void);

/* A game; seats count from 1. */
struct fam_model {
	bool has_begun;
	unsigned starter;
	unsigned turn;
	unsigned turns_of[3]; /* by seat, those that have ended */
	bool passed;          /* the last turn that has ended */
	unsigned last_turn;   /* 0: not known */
	unsigned vacant;
	uint8_t place[CARDS + 1];
	unsigned street_count;
	uint8_t street[CARDS];
	unsigned unseen; /* cards of the pile that lie in no known order */
	unsigned beneath_count;
	uint8_t beneath[CARDS]; /* the others, the next one first */
	bool second_pass;

	/* In this turn. */
	unsigned refills;
	unsigned late_refills; /* those after the discards were turned */
	unsigned accountant;
	uint8_t given[4];
	uint8_t taken[4]; /* back */
	unsigned brute;
	unsigned target;
	unsigned by;

	bool is_over;
	bool ended_early;
	unsigned forfeiter; /* who left, and so ended it; 0: nobody */
	unsigned winner;
	unsigned points[3];
	unsigned decided; /* 0: a draw, 1: points, 2: a card */

	/* For the tally. */
	bool turned_exactly; /* the first pile gave just what was due */
	bool turned_in_lay;  /* while an empty street was filled */
	bool turned_in_refill;
	bool came_back;      /* what went beneath was revealed at once */
	bool ended_unturned; /* the first pile ran out without discards */
	bool refilled_after; /* once more, after the discards were turned */
	bool whole_round;    /* known at the end of the second's turn */
	bool brute_to_zero;
	bool stand_in;
	bool stand_in_kept;
	bool stand_in_for_own; /* the card taken is a mercenary */
	bool empty_street;
};

unsigned fam_model_mover(const struct fam_model *model);

unsigned fam_model_pile(const struct fam_model *model);

unsigned fam_model_count(const struct fam_model *model, unsigned place);

bool fam_model_lies(const struct fam_model *model, unsigned card,
                    unsigned place);

unsigned fam_model_rank(const struct fam_model *model, unsigned card);

/* --- the whole ------------------------------------------------------------ */

/* The model of a game that was laid so; the order of its pile is not known. */
void fam_model_of_state(struct fam_model *model, const struct famiglia *game);

/* An event; starter is the seat that begins, for the event that starts. */
void fam_model_apply(struct fam_model *model, const struct event *event,
                     unsigned starter);

/* Check that the state says the same as the model. */
void fam_model_check(const struct fam_model *model,
                     const struct famiglia *game);
