/*
 * A bot takes one stone more than the number of its level.
 */
#include "bot/bot.h"
#include "games/nim/rules/nim_view.h"

extern const struct bot_rules bot_nim;

static struct bot_choice choose(const struct bot_input *input, struct rng *rng,
                                void *work)
{
	const struct nim_view *view = input->view;
	struct bot_choice choice = { .hesitation = 500 };

	(void)rng;
	(void)work;
	if (view->seat != view->mover || view->loser)
		return choice;
	choice.action = (struct action){
		.verb = VERB_TAKE,
		.seat = view->seat,
		.args = { [ARG_STONES] = (uint8_t)(1 + input->level) },
	};
	return choice;
}

static unsigned winner(const void *from)
{
	const struct nim_view *view = from;

	return view->loser == 1 ? 2 : 1;
}

const struct bot_rules bot_nim = { .choose = choose, .winner = winner };
