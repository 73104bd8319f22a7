/*
 * Nothing is kept.  Choices are judged by the strength of the pocket that they
 * leave; answers follow from the open cards alone, so that all bots that are
 * asked come to the same one.
 */
#include "bot/helping.h"

#include <string.h>

/* --- private choices ------------------------------------------------------ */

struct bot_choice helping_choose(const struct bot_input *input, struct rng *rng,
                                 struct bot_work *work)
{
	const struct gang_view *view = input->view;
	struct bot_choice choice = { .hesitation = 500 };

	(void)rng;
	(void)work;
	for (size_t i = 0; i < view->legal_count; i++) {
		if (view->legal[i].verb == VERB_CHOOSE) {
			choice.action = view->legal[i];
			break;
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

struct bot_choice helping_answer(const struct bot_input *input, struct rng *rng,
                                 struct bot_work *work)
{
	const struct gang_view *view = input->view;

	(void)rng;
	(void)work;
	for (size_t i = 0; i < view->legal_count; i++) {
		const struct action *action = &view->legal[i];

		if (action->verb != VERB_ANSWER)
			continue;
		for (unsigned j = 0; j < view->showdown.asked_count; j++) {
			const struct asked *asked = &view->showdown.asked[j];
			unsigned given = most_given(view, asked);
			unsigned own = asked->question.answers[view->seat - 1];

			if (asked->challenge != action->args[ARG_QUESTION] ||
			    (own && own == given))
				continue;
			if (!given || action->args[ARG_ANSWER] == given)
				return (struct bot_choice){
					.action = *action,
					.hesitation = 500,
				};
		}
	}
	return (struct bot_choice){ .action.verb = VERB_NONE };
}
