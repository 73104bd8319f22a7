/*
 * The duties of a seat are asked in their order: a vote, a private choice, an
 * answer, a proposal, a chip, the end of a round, the next heist.  Each is
 * offered by the view's legal actions, from which every action is taken, so no
 * action is refused.
 */
#include "games/gang/bot/bot_gang.h"

#include <string.h>

#include "games/gang/bot/belief.h"
#include "games/gang/bot/helping.h"
#include "games/gang/bot/proposing.h"
#include "games/gang/bot/taking.h"

/* The deal, which a repeated heist changes. */
static unsigned part_of(const void *from)
{
	const struct gang_view *view = from;

	return view->setup.deal;
}

/* Append the private bytes from..from+count, as far as there are any. */
static void copy_private(const struct event *event, unsigned from,
                         unsigned count, struct event *seen)
{
	for (unsigned i = from; i < from + count && i < event->private_len; i++)
		event_put_private(seen, event->private_data[i]);
}

static void share(const void *from, const struct event *event,
                  struct event *seen)
{
	const struct gang_view *view = from;
	unsigned pocket = event->public_data[0];

	switch (event->type) {
	/* The pockets of all seats, in their order. */
	case EVENT_CARDS_DEALT:
	case EVENT_CARDS_PASSED:
	case EVENT_CARDS_REDEALT:
		copy_private(event, (view->seat - 1U) * pocket, pocket, seen);
		break;
	/* One seat's cards. */
	case EVENT_CARDS_REDRAWN:
		if (event->seat == view->seat)
			copy_private(event, 0, event->private_len, seen);
		break;
	/* A card, and the seat to which it was shown. */
	case EVENT_CHOICE_MADE:
		if (event->seat == view->seat ||
		    (event->private_len > 1 &&
		     event->private_data[1] == view->seat))
			copy_private(event, 0, event->private_len, seen);
		break;
	default:
		break;
	}
}

/* The first legal action of a verb; VERB_NONE without one. */
static struct action legal(const struct gang_view *view, unsigned verb)
{
	for (size_t i = 0; i < view->legal_count; i++) {
		if (view->legal[i].verb == verb)
			return view->legal[i];
	}
	return (struct action){ .verb = VERB_NONE };
}

/* A consent to what somebody proposed; it is the first of both votes. */
static struct bot_choice vote(const struct gang_view *view)
{
	struct action action = legal(view, VERB_VOTE);

	if (!action.args[ARG_AGREES])
		action = (struct action){ .verb = VERB_NONE };
	return (struct bot_choice){ .action = action, .hesitation = 200 };
}

/* Persons look at the showdown as long as they like. */
static struct bot_choice go_on(const struct bot_input *input)
{
	if (input->persons)
		return (struct bot_choice){ .action.verb = VERB_NONE };
	return (struct bot_choice){
		.action = legal(input->view, VERB_NEXT_HEIST),
		.hesitation = 1000,
	};
}

static struct bot_choice choose(const struct bot_input *input, struct rng *rng,
                                void *memory)
{
	const struct gang_view *view = input->view;
	struct bot_gang_work *work = memory;
	struct bot_choice choice = vote(view);

	work->beliefs.of = NULL;
	if (!choice.action.verb)
		choice = helping_choose(input, work);
	if (!choice.action.verb)
		choice = helping_answer(input, work);
	if (!choice.action.verb)
		choice = proposing_choose(input, work);
	if (!choice.action.verb)
		choice = taking_choose(input, rng, work);
	if (!choice.action.verb)
		choice = (struct bot_choice){
			.action = legal(view, VERB_CONFIRM_ROUND),
			.hesitation = 300,
		};
	if (!choice.action.verb)
		choice = go_on(input);
	return choice;
}

static void work_init(void *memory)
{
	struct bot_gang_work *work = memory;

	strength_init(&work->strength);
}

static unsigned marks(const struct event *event)
{
	bool is_taken = event->type == EVENT_CHIP_TAKEN;
	bool is_end = event->type == EVENT_HEIST_ENDED;
	unsigned set = 0;

	if (event->type == EVENT_ROUND_STARTED)
		set |= BOT_MARK_OPENING;
	if (is_taken && event->public_data[1] != CHIPS_CENTER)
		set |= BOT_MARK_EXTRA;
	if (is_end && event->public_data[0] == OUTCOME_SUCCEEDED)
		set |= BOT_MARK_PART_WON;
	if (is_end && event->public_data[0] == OUTCOME_FAILED)
		set |= BOT_MARK_PART_LOST;
	return set;
}

const struct bot_rules bot_gang = {
	.work_size = sizeof(struct bot_gang_work),
	.work_init = work_init,
	.part = part_of,
	.share = share,
	.choose = choose,
	.flags = (const char *const[]){ "shuffled", "confirmed", NULL },
	.parts = "heists",
	.part_name = "a heist",
	.extra = "chips taken from others",
	.marks = marks,
};
