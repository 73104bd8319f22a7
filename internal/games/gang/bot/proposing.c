/*
 * Each specialist that players propose has a row: the use that helps most, by
 * what the bot knows.  A bot looks at it in the last round, when one chip at
 * most lies in the centre: all cards are open then, the chips have shown all
 * they can, and chips can still move.  A bot that keeps no beliefs sees the
 * open cards only.  Nothing is kept.
 */
#include "games/gang/bot/proposing.h"

#include "games/gang/bot/belief.h"
#include "games/gang/bot/evidence.h"
#include "games/gang/bot/gain.h"

/* A use, and how much it helps; 0: not at all. */
struct idea {
	float worth;
	unsigned seat;
	unsigned target;
	unsigned value;
};

/* A use that helps less is not worth the time of all players. */
#define WORTH_MIN 0.005F

/* An exchange makes void what the others believe of the pocket. */
#define EXCHANGE_MIN 0.15F

/* --- ideas ---------------------------------------------------------------- */

/* The seat whose hand may as well be above the bot's as below it. */
static struct idea be_shown(const struct bot_input *input,
                            struct bot_gang_work *work)
{
	const struct gang_view *view = input->view;
	struct doubts doubts = belief_doubts(view, work, &view->pocket, false);
	struct idea best = { .target = view->seat };

	for (unsigned seat = 1; seat <= view->players; seat++) {
		if (doubts.of[seat] <= best.worth)
			continue;
		best.worth = doubts.of[seat];
		best.seat = seat;
	}
	return best;
}

static struct idea tell_ranking(const struct bot_input *input,
                                struct bot_gang_work *work)
{
	const struct gang_view *view = input->view;
	struct idea best = { .worth = 0 };

	for (unsigned seat = 1; seat <= view->players; seat++) {
		float worth = gain_of_ranking(work, seat);

		if (worth > best.worth)
			best = (struct idea){ .worth = worth, .seat = seat };
	}
	return best;
}

static struct idea tell_count(const struct bot_input *input,
                              struct bot_gang_work *work)
{
	const struct gang_view *view = input->view;
	struct idea best = { .worth = 0 };

	for (unsigned seat = 1; seat <= view->players; seat++) {
		struct gain of = gain_of_count(work, seat);

		if (of.worth > best.worth)
			best = (struct idea){ .worth = of.worth,
				              .seat = seat,
				              .value = of.rank + 1 };
	}
	return best;
}

/* A hand that is hard to place is exchanged for one that may be easier. */
static struct idea exchange(const struct bot_input *input,
                            struct bot_gang_work *work)
{
	const struct gang_view *view = input->view;
	float worth = belief_doubts(view, work, &view->pocket, false).sum;

	return (struct idea){ .worth = worth < EXCHANGE_MIN ? 0 : worth,
		              .seat = view->seat };
}

/* The doubts that go when the bot's hand is the best of its ranking. */
static struct idea strengthen(const struct bot_input *input,
                              struct bot_gang_work *work)
{
	const struct gang_view *view = input->view;
	float before = belief_doubts(view, work, &view->pocket, false).sum;
	float after = belief_doubts(view, work, &view->pocket, true).sum;

	return (struct idea){ .worth = before - after, .seat = view->seat };
}

/* --- the rows ------------------------------------------------------------- */

typedef struct idea idea_fn(const struct bot_input *input,
                            struct bot_gang_work *work);

static idea_fn *const rows[SPECIALIST_END] = {
	[SPECIALIST_INFORMANT] = be_shown,
	[SPECIALIST_GETAWAY_DRIVER] = tell_ranking,
	[SPECIALIST_MASTERMIND] = tell_count,
	[SPECIALIST_HACKER] = exchange,
	[SPECIALIST_JACK] = exchange,
	[SPECIALIST_MUSCLE] = strengthen,
};

/* The seats that hold no chip of the round. */
static unsigned without_chip(const struct gang_view *view)
{
	unsigned count = 0;

	for (unsigned i = 0; i < view->chips_count; i++)
		count += view->chips[i].color + 1U == view->round &&
		         !view->chips[i].seat;
	return count;
}

/* A player who was asked once in vain is not asked again. */
static bool was_refused(const struct bot_input *input)
{
	for (size_t i = 0; i < input->events_count; i++) {
		if (input->events[i].type == EVENT_SPECIALIST_WITHDRAWN)
			return true;
	}
	return false;
}

static struct action proposal(const struct gang_view *view, struct idea idea)
{
	for (size_t i = 0; i < view->legal_count; i++) {
		const struct action *action = &view->legal[i];

		if (action->verb == VERB_PROPOSE &&
		    action->args[ARG_SEAT] == idea.seat &&
		    action->args[ARG_TARGET] == idea.target &&
		    action->args[ARG_VALUE] == idea.value)
			return *action;
	}
	return (struct action){ .verb = VERB_NONE };
}

/* True when it is the time to look at the specialist. */
static bool is_time(const struct gang_view *view)
{
	return view->phase == PHASE_CHIPS && view->round == HEIST_ROUNDS &&
	       view->setup.specialist && rows[view->setup.specialist] &&
	       view->ability_state == ABILITY_AVAILABLE &&
	       without_chip(view) <= 1;
}

struct bot_choice proposing_choose(const struct bot_input *input,
                                   struct bot_gang_work *work)
{
	const struct gang_view *view = input->view;
	struct bot_choice choice = { .action.verb = VERB_NONE };
	struct idea idea;

	if (input->level < BOT_STEADY || !is_time(view) || was_refused(input))
		return choice;
	evidence_follow(input, work);
	idea = rows[view->setup.specialist](input, work);
	if (idea.worth < WORTH_MIN)
		return choice;
	choice.action = proposal(view, idea);
	/* After a bot that takes a chip, but before the last chip. */
	choice.hesitation = 800;
	return choice;
}
