/*
 * A showdown is computed from a summary: the hands, their order, the questions.
 * An open heist is summed up first, so there is one way for it and for a heist
 * that is long over.  Every seat holds a red chip in a summary, and hands are
 * revealed in the order of their stars.
 */
#include "games/gang/rules/summary.h"

#include <assert.h>
#include <string.h>

#include "games/gang/rules/challenge.h"
#include "games/gang/rules/specialist.h"

void summary_of_heist(const struct heist *heist, struct summary *summary)
{
	const struct ability *ability = &heist->ability;

	*summary = (struct summary){
		.number = heist->setup.number,
		.players = heist->setup.players,
		.outcome = heist->outcome,
		.challenges = heist->setup.challenges,
		.permanent = heist->setup.permanent,
		.specialist = heist->setup.specialist,
		.used_by = ability->state == ABILITY_USED
		                   ? ability->proposal.seat
		                   : 0,
		.red = heist->chips[COLOR_RED],
	};
	memcpy(summary->community, heist->community,
	       sizeof(summary->community));
	memcpy(summary->pockets, heist->pockets, sizeof(summary->pockets));
	memcpy(summary->questions, heist->questions,
	       sizeof(summary->questions));
}

/* The value by which hands are compared. */
static uint32_t strength_of(const struct summary *summary,
                            const struct reveal *reveal)
{
	bool is_strengthened =
		summary->specialist && summary->used_by == reveal->seat &&
		gang_specialist_get(summary->specialist)->strengthens;

	return is_strengthened ? hand_value_above_ranking(reveal->hand.value)
	                       : reveal->hand.value;
}

/* Reveal the hands with 1..count red stars. */
static void reveal_hands(const struct summary *summary, unsigned count,
                         struct showdown *showdown)
{
	uint32_t strongest = 0;

	showdown->reveals_count = (uint8_t)count;
	for (unsigned stars = 1; stars <= count; stars++) {
		struct reveal *reveal = &showdown->reveals[stars - 1];
		unsigned seat = chips_holder(&summary->red, stars);

		reveal->seat = (uint8_t)seat;
		reveal->stars = (uint8_t)stars;
		reveal->pocket = summary->pockets[seat - 1];
		reveal->hand = pocket_hand(&reveal->pocket, summary->community,
		                           COMMUNITY_MAX);

		uint32_t strength = strength_of(summary, reveal);
		reveal->in_order = strength >= strongest;
		if (reveal->in_order)
			strongest = strength;
	}
}

static enum right judge_answer(const struct summary *summary,
                               const struct asked *asked,
                               const struct reveal *last)
{
	const struct challenge *row = gang_challenge_get(asked->challenge);
	const struct pocket *pocket = &summary->pockets[asked->about_seat - 1];

	return row->confirms(pocket, &last->hand, asked->question.agreed)
	               ? RIGHT_YES
	               : RIGHT_NO;
}

static void ask(const struct summary *summary, struct showdown *showdown)
{
	bool is_judged = showdown->reveals_count == summary->players;

	for (unsigned i = 0; i < QUESTIONS_MAX; i++) {
		struct asked *asked = &showdown->asked[showdown->asked_count];
		unsigned number = challenges_asking(summary->challenges, i);

		if (!number)
			return;
		asked->challenge = (uint8_t)number;
		asked->about_seat = (uint8_t)chips_top_holder(&summary->red);
		asked->question = summary->questions[i];
		if (is_judged)
			asked->right = (uint8_t)judge_answer(
				summary, asked,
				&showdown->reveals[summary->players - 1]);
		showdown->asked_count++;
	}
}

void summary_reveal(const struct summary *summary, unsigned hands,
                    struct showdown *showdown)
{
	*showdown = (struct showdown){
		.heist = summary->number,
		.outcome = summary->outcome,
	};
	reveal_hands(summary, hands, showdown);
	ask(summary, showdown);
}

static bool cards_valid(const struct summary *summary)
{
	uint64_t seen = 0;

	return pockets_mark(summary->pockets, summary->players,
	                    challenges_pocket_cards(summary->challenges),
	                    &seen) &&
	       cards_mark(summary->community, COMMUNITY_MAX, CARD_DECK_COUNT,
	                  &seen);
}

bool summary_valid(const struct summary *summary)
{
	return (summary->outcome == OUTCOME_SUCCEEDED ||
	        summary->outcome == OUTCOME_FAILED) &&
	       (!summary->specialist ||
	        specialist_exists(summary->specialist)) &&
	       chips_valid(&summary->red) && chips_settled(&summary->red) &&
	       cards_valid(summary);
}
