/*
 * Nothing is kept.  Of cards to discard, the one goes that leaves the strongest
 * pocket; other private choices are the first option.  An answer is the one
 * that most others have given, or else the likeliest: bots that are asked see
 * the same open cards, so that they agree.
 */
#include "bot/helping.h"

#include <string.h>

#include "bot/evidence.h"
#include "gang/specialist.h"

/* --- private choices ------------------------------------------------------ */

/* How strong the pocket is when this option is gone. */
static unsigned strength_without(const struct gang_view *view,
                                 struct bot_work *work, unsigned card)
{
	struct board board = { .pocket_cards = view->pocket.count,
		               .count = view->community_count };
	struct pocket pocket = { 0 };

	memcpy(board.cards, view->community, view->community_count);
	for (unsigned i = 0; i < view->choice.options_count; i++) {
		if (view->choice.options[i] != card &&
		    pocket.count < POCKET_MAX)
			pocket.cards[pocket.count++] = view->choice.options[i];
	}
	return strength_of(&work->strength, &board, &pocket);
}

static bool discards(const struct gang_view *view)
{
	return view->choice.specialist == SPECIALIST_HACKER ||
	       view->choice.specialist == SPECIALIST_JACK;
}

struct bot_choice helping_choose(const struct bot_input *input,
                                 struct bot_work *work)
{
	const struct gang_view *view = input->view;
	struct bot_choice choice = { .hesitation = 500 };
	unsigned best = 0;

	for (size_t i = 0; i < view->legal_count; i++) {
		const struct action *action = &view->legal[i];
		unsigned strength = 0;

		if (action->verb != VERB_CHOOSE)
			continue;
		if (discards(view))
			strength = strength_without(view, work,
			                            action->args[ARG_CARD]);
		if (!choice.action.verb || strength > best) {
			best = strength;
			choice.action = *action;
		}
	}
	return choice;
}

/* --- answers -------------------------------------------------------------- */

/* The answer that most others give; of several the lowest.  0: none. */
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
static unsigned likeliest(const struct bot_input *input, struct bot_work *work,
                          const struct asked *asked)
{
	const struct gang_view *view = input->view;
	struct bot_input known = *input;
	unsigned best = 0;
	float chance = -1;

	if (!bot_level_get(input->level)->believes)
		known.events_count = 0;
	evidence_follow(&known, work);
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
                                 struct bot_work *work)
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
