/*
 * A bot aims at the chip of the place that its hand probably has among all
 * hands.  If another seat holds it, the bot takes it from there as often as its
 * level may in a round; otherwise it takes the nearest one in the centre.  Each
 * move brings the bot nearer to its chip or uses up a steal, so every bot is
 * content after a bounded number of moves.
 */
#include "games/gang/bot/taking.h"

#include "games/gang/bot/belief.h"
#include "games/gang/bot/evidence.h"

/* Chips that a bot takes from others, a round. */
static const uint8_t steals_max[BOT_LEVEL_COUNT] = {
	[BOT_NOVICE] = 1,
	[BOT_STEADY] = 1,
	[BOT_SHARP] = 2,
};

/* The chips of the present round. */
struct round {
	unsigned others; /* other seats that hold a chip */
	unsigned takes;  /* that the bot has made in this round */
	unsigned color;
	unsigned held;   /* the stars of the bot's chip; 0: none */
	unsigned steals; /* that the bot has made in this round */
};

static struct round round_of(const struct bot_input *input)
{
	const struct gang_view *view = input->view;
	struct round round = { .color = view->round - 1U };

	for (unsigned i = 0; i < view->chips_count; i++) {
		const struct chip_view *chip = &view->chips[i];

		if (chip->color == round.color && chip->seat == view->seat)
			round.held = chip->stars;
		round.others += chip->color == round.color && chip->seat &&
		                chip->seat != view->seat;
	}
	for (size_t i = 0; i < input->events_count; i++) {
		const struct event *event = &input->events[i];

		if (event->type != EVENT_CHIP_TAKEN ||
		    event->seat != view->seat || event->subpart != view->round)
			continue;
		round.takes++;
		round.steals += event->public_data[1] != CHIPS_CENTER;
	}
	return round;
}

/* The stars that a strength has among the players. */
static unsigned stars_of(const struct bot_input *input, unsigned strength,
                         struct rng *rng)
{
	const struct gang_view *view = input->view;
	int noise = bot_level_get(input->level)->noise_percent;
	int others = view->players - 1;
	int percent = (int)(strength * 100 / STRENGTH_MAX);

	percent += (int)rng_below(rng, 2U * (unsigned)noise + 1) - noise;
	if (percent < 0)
		percent = 0;
	if (percent > 100)
		percent = 100;
	return (unsigned)(1 + (percent * others + 50) / 100);
}

static unsigned distance(unsigned one, unsigned other)
{
	return one > other ? one - other : other - one;
}

static struct bot_choice by_strength(const struct bot_input *input,
                                     struct rng *rng,
                                     struct bot_gang_work *work)
{
	const struct gang_view *view = input->view;
	struct bot_choice choice = { .hesitation = 500 };
	struct round round = round_of(input);

	unsigned strength =
		strength_in_view(&work->strength, view, &view->pocket);
	unsigned wanted = stars_of(input, strength, rng);
	unsigned nearest =
		round.held ? distance(round.held, wanted) : (unsigned)CHIPS_MAX;
	for (size_t i = 0; i < view->legal_count; i++) {
		const struct action *action = &view->legal[i];
		unsigned far = distance(action->args[ARG_STARS], wanted);

		if (action->verb != VERB_TAKE || far >= nearest)
			continue;
		if (action->args[ARG_FROM] != CHIPS_CENTER &&
		    (far || round.steals >= steals_max[input->level]))
			continue;
		nearest = far;
		choice.action = *action;
	}
	return choice;
}

/* --- by beliefs ----------------------------------------------------------- */

/*
 * How much better a chip must be than the one held, and the bonus of one that
 * another seat has: taking a chip that is nearly as likely informs all seats,
 * which is worth more than the move costs.
 */
#define MOVE_MARGIN 0.01F
#define STEAL_BONUS 0.05F
#define FAR_MALUS   0.0001F

enum { TAKES_MAX = 6 };

/* The mean of the stars that may be right. */
static float stars_expected(const struct chances *chances, unsigned players)
{
	float sum = 0;
	float stars = 0;

	for (unsigned i = 1; i <= players; i++) {
		sum += chances->of[i];
		stars += (float)i * chances->of[i];
	}
	return sum > 0 ? stars / sum : 0;
}

/* Among chips that are equally likely to be right, the nearest is better. */
static float score_of(const struct chances *chances, float expected,
                      unsigned stars)
{
	float far = (float)stars - expected;

	return chances->of[stars] - FAR_MALUS * far * far;
}

static struct bot_choice by_belief(const struct bot_input *input,
                                   struct bot_gang_work *work)
{
	const struct gang_view *view = input->view;
	struct bot_choice choice = { .action.verb = VERB_NONE };
	struct round round = round_of(input);
	unsigned most = steals_max[input->level];

	if (round.held && round.takes >= TAKES_MAX)
		return choice;
	evidence_follow(input, work);
	struct chances chances = belief_own(input, work);
	float expected = stars_expected(&chances, view->players);
	float best = round.held ? score_of(&chances, expected, round.held) +
	                                  MOVE_MARGIN
	                        : -1;
	for (size_t i = 0; i < view->legal_count; i++) {
		const struct action *action = &view->legal[i];
		bool steals = action->args[ARG_FROM] != CHIPS_CENTER;
		float score;

		if (action->verb != VERB_TAKE ||
		    (steals && round.steals >= most))
			continue;
		score = score_of(&chances, expected, action->args[ARG_STARS]);
		if (steals)
			score += STEAL_BONUS;
		if (score <= best)
			continue;
		best = score;
		choice.action = *action;
	}
	if (!choice.action.verb)
		return choice;
	/* By the move alone: everybody sees the time, and nobody the chances.
	 */
	choice.hesitation =
		choice.action.args[ARG_FROM] == CHIPS_CENTER ? 200 : 500;
	if (round.others + 1 == view->players && !round.held &&
	    choice.action.args[ARG_FROM] == CHIPS_CENTER)
		choice.hesitation = 1000;
	return choice;
}

struct bot_choice taking_choose(const struct bot_input *input, struct rng *rng,
                                struct bot_gang_work *work)
{
	const struct gang_view *view = input->view;

	if (view->phase != PHASE_CHIPS || !view->round)
		return (struct bot_choice){ .action.verb = VERB_NONE };
	if (bot_level_get(input->level)->believes)
		return by_belief(input, work);
	return by_strength(input, rng, work);
}
