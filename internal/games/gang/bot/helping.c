/*
 * Nothing is kept.  Each option of a private choice is rated by what it is for,
 * and the one rated highest is chosen; of equal ones the first.  An answer is
 * the one that most others have given, or else the likeliest: bots that are
 * asked see the same open cards, so that they agree.
 */
#include "games/gang/bot/helping.h"

#include "games/gang/bot/belief.h"
#include "games/gang/bot/evidence.h"
#include "games/gang/bot/gain.h"

/* --- private choices ------------------------------------------------------ */

/* The pocket when this option is gone. */
static struct pocket pocket_without(const struct gang_view *view, unsigned card)
{
	struct pocket pocket = { 0 };

	/* The suitless Jack is no option, since it stays. */
	if (view->choice.specialist == SPECIALIST_JACK)
		pocket.cards[pocket.count++] = CARD_JX;
	for (unsigned i = 0; i < view->choice.options_count; i++) {
		if (view->choice.options[i] != card &&
		    pocket.count < POCKET_MAX)
			pocket.cards[pocket.count++] = view->choice.options[i];
	}
	return pocket;
}

/* The pocket that is easiest to place, or else the strongest one. */
static float rate_discard(const struct bot_input *input,
                          struct bot_gang_work *work, unsigned card)
{
	const struct gang_view *view = input->view;
	struct pocket pocket = pocket_without(view, card);

	if (bot_level_get(input->level)->believes)
		return -belief_doubts(view, work, &pocket, false).sum;
	return (float)strength_in_view(&work->strength, view, &pocket);
}

/* The card from which the strength of the pocket is guessed best. */
static float rate_shown(const struct bot_input *input,
                        struct bot_gang_work *work, unsigned card)
{
	const struct gang_view *view = input->view;

	return -gain_error(work, view->seat, card,
	                   strength_in_view(&work->strength, view,
	                                    &view->pocket));
}

/* A card far from the middle says the most about the neighbour who gets it. */
static float rate_passed(const struct bot_input *input,
                         struct bot_gang_work *work, unsigned card)
{
	int far = 2 * (int)card_rank((uint8_t)card) - RANK_ACE;

	(void)input;
	(void)work;
	return (float)(far < 0 ? -far : far);
}

/* How much an option helps; 0 for all if the bot has no preference. */
static float rate(const struct bot_input *input, struct bot_gang_work *work,
                  unsigned card)
{
	const struct gang_view *view = input->view;

	switch (view->choice.specialist) {
	case SPECIALIST_HACKER:
	case SPECIALIST_JACK:
		return rate_discard(input, work, card);
	case SPECIALIST_INFORMANT:
		return rate_shown(input, work, card);
	case SPECIALIST_COORDINATOR:
		return rate_passed(input, work, card);
	default:
		return 0;
	}
}

struct bot_choice helping_choose(const struct bot_input *input,
                                 struct bot_gang_work *work)
{
	const struct gang_view *view = input->view;
	struct bot_choice choice = { .hesitation = 500 };
	float best = 0;

	if (view->choice.specialist)
		evidence_follow(input, work);
	for (size_t i = 0; i < view->legal_count; i++) {
		const struct action *action = &view->legal[i];
		float of;

		if (action->verb != VERB_CHOOSE)
			continue;
		of = rate(input, work, action->args[ARG_CARD]);
		if (choice.action.verb && of <= best)
			continue;
		best = of;
		choice.action = *action;
	}
	return choice;
}

/* --- answers -------------------------------------------------------------- */

/* The most frequent answer; the lowest of equals; 0 before the first one. */
static unsigned most_given(const struct gang_view *view,
                           const struct asked *asked)
{
	unsigned counts[256] = { 0 };
	unsigned best = 0;

	for (unsigned i = 0; i < view->players; i++)
		counts[asked->question.answers[i]]++;
	for (unsigned value = 1; value < ARRAY_LEN(counts); value++) {
		if (counts[value] > (best ? counts[best] : 0))
			best = value;
	}
	return best;
}

/* The likeliest answer; a bot without beliefs looks at the open cards only. */
static unsigned likeliest(const struct bot_input *input,
                          struct bot_gang_work *work, const struct asked *asked)
{
	const struct gang_view *view = input->view;
	unsigned best = 0;
	float chance = -1;

	evidence_follow(input, work);
	for (size_t i = 0; i < view->legal_count; i++) {
		const struct action *action = &view->legal[i];
		float of;

		if (action->verb != VERB_ANSWER ||
		    action->args[ARG_QUESTION] != asked->challenge)
			continue;
		of = evidence_of_answer(view, work, asked,
		                        action->args[ARG_ANSWER]);
		if (of > chance) {
			chance = of;
			best = action->args[ARG_ANSWER];
		}
	}
	return best;
}

static struct action answer(const struct gang_view *view,
                            const struct asked *asked, unsigned value)
{
	for (size_t i = 0; i < view->legal_count; i++) {
		const struct action *action = &view->legal[i];

		if (action->verb == VERB_ANSWER &&
		    action->args[ARG_QUESTION] == asked->challenge &&
		    action->args[ARG_ANSWER] == value)
			return *action;
	}
	return (struct action){ .verb = VERB_NONE };
}

struct bot_choice helping_answer(const struct bot_input *input,
                                 struct bot_gang_work *work)
{
	const struct gang_view *view = input->view;
	struct bot_choice choice = { .hesitation = 500 };

	for (unsigned j = 0; j < view->showdown.asked_count; j++) {
		const struct asked *asked = &view->showdown.asked[j];
		unsigned own = asked->question.answers[view->seat - 1];
		unsigned value = most_given(view, asked);

		if (own && own == value)
			continue;
		if (!value)
			value = likeliest(input, work, asked);
		choice.action = answer(view, asked, value);
		if (choice.action.verb)
			break;
	}
	return choice;
}
