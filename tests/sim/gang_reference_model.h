/*
 * gang_reference_model.h - a heist, recomputed from its events alone.
 *
 * The events, with their private parts, say who holds which chip and card and
 * what was answered.  From that follows what has to come next: who redraws,
 * what is announced, how the heist ends.  The model recomputes all of it, and
 * the rules' state must agree.
 */
#pragma once

#include "gang_expected_error.h"

/* One heist; seats and stars count from 1, sets are bit masks. */
struct model {
	unsigned players;
	unsigned vacant; /* seats that somebody left */
	bool confirms;   /* a round ends when all have confirmed */
	bool abandoned;  /* somebody was removed: there is nothing left */
	unsigned challenges;
	unsigned specialist;
	unsigned round;
	unsigned community_count;
	uint8_t community[COMMUNITY_MAX];
	uint8_t chips[COLOR_COUNT][CHIPS_MAX + 1]; /* a seat, by stars */
	unsigned confirmed; /* seats that have confirmed the round */
	struct pocket pockets[HEIST_PLAYERS_MAX + 1];
	unsigned redraw_by; /* the challenge that requires one next; 0: none */
	unsigned redraw_seat;
	unsigned announced; /* uses of the specialist */
	struct announcement announcements[HEIST_PLAYERS_MAX];
	bool is_proposed;
	unsigned agreed;   /* seats that agree to what is proposed */
	unsigned choosing; /* seats that owe a private choice */
	unsigned shown_by; /* and the card, to whom */
	unsigned shown_to;
	unsigned shown;
	struct pocket former[HEIST_PLAYERS_MAX + 1];
	unsigned muscle;                         /* whose hand it strengthens */
	uint8_t laid_out[HEIST_PLAYERS_MAX + 1]; /* for Coordinator */
	uint8_t answers[CHALLENGE_MAX + 1][HEIST_PLAYERS_MAX + 1];
	uint8_t settled[CHALLENGE_MAX + 1];
	bool right[CHALLENGE_MAX + 1];
	unsigned revealed;
	bool all_in_order;
	uint64_t strongest;

	/* For the tally. */
	unsigned redrawn;  /* challenges that made somebody draw, a set */
	bool jack_redrawn; /* with Jx among the cards that went */
};

bool model_has(const struct model *model, unsigned challenge);

/* The seats at which somebody sits. */
unsigned model_voters(const struct model *model);

/* --- cards ---------------------------------------------------------------- */

/* The cards of a pocket as a bit mask. */
uint64_t pocket_set(const struct pocket *pocket);

/* --- rounds and chips ----------------------------------------------------- */

bool model_is_settled(const struct model *model);

/* --- the showdown --------------------------------------------------------- */

bool model_owes_answers(const struct model *model);

/* The seats that answer: all that are taken but the one asked about. */
unsigned model_answerers(const struct model *model);

/* The common answer to a question; 0 if the answers differ. */
unsigned model_agreed(const struct model *model, unsigned question);

/* --- event by event ------------------------------------------------------- */

/* A player joined or left after the game had begun. */
void model_seat(struct model *model, const struct event *event);

/* An event of the ruleset, between the states before and after its action. */
void model_apply(struct model *model, const struct event *event,
                 const struct heist *before, const struct heist *after);
