/*
 * A turn is decided step by step from the view.  The bot takes the gangster of
 * the most worth that its hand can pay for, and keeps the better of the two
 * cards that it shows.  Sharp bots first threaten a gangster that becomes
 * payable so and is worth much more; the brute keeps its points in the display.
 * Without a gangster to take, the street is refilled, or the bot passes.
 */
#include "games/famiglia/bot/bot_famiglia.h"

#include "games/famiglia/rules/famiglia_view.h"

/* The lowest number of a set; GANGSTER_NONE if it is empty. */
static unsigned first(uint64_t set)
{
	return gangsters_next(set, GANGSTER_NONE);
}

/* The two cards to show for a rank above 0; false if the hand has none. */
static bool pay_for(uint64_t hand, unsigned gangster, unsigned rank,
                    uint8_t *args)
{
	uint64_t cards = recruit_cards(hand, gangster, rank);
	unsigned card = first(cards);
	unsigned other = card ? gangsters_next(cards, card) : GANGSTER_NONE;

	if (!card)
		return false;
	if (!other)
		other = first(recruit_stand_ins(hand, rank) & ~cards);
	if (!other)
		return false;
	args[ARG_PAY] = (uint8_t)card;
	args[ARG_PAY + 1] = (uint8_t)other;
	args[ARG_KEEP] = (uint8_t)other;
	return true;
}

/* A gangster to take, and how to pay for it. */
struct find {
	unsigned worth; /* 0: nothing can be taken */
	struct action action;
};

/*
 * The worth of a gangster: its points, and more as long as it helps to recruit
 * others, in quarters of a point.  Novices see no difference beyond some noise.
 */
static unsigned worth_of(const struct bot_input *input, unsigned gangster,
                         struct rng *rng)
{
	enum { POINT = 4, STAND_IN = 10, BRUTE = 6 };
	const struct bot_level_row *level = bot_level_get(input->level);
	unsigned worth = 1 + POINT * gangster_points(gangster);
	unsigned rank = gangster_rank(gangster);

	if (level->noise_percent)
		return 1 + rng_below(rng, 100);
	switch (gangster_family(gangster)) {
	case FAMILY_MERCENARIES:
		/* Sharp bots plan further ahead. */
		return worth + rank * STAND_IN * (level->believes ? 2 : 1);
	case FAMILY_BRUTES:
		return worth + (level->believes ? rank * BRUTE : 0);
	default:
		return worth;
	}
}

/* The worth of a brute that can help later, in quarters of a point. */
enum { THREAT_COST = 30 };

/* The best gangster that a hand can pay for. */
static struct find find_take(const struct bot_input *input, uint64_t hand,
                             struct rng *rng)
{
	const struct famiglia_view *view = input->view;
	struct find best = { .worth = 0 };

	for (unsigned i = 0; i < view->street.count; i++) {
		unsigned gangster = view->street.gangsters[i];
		unsigned rank = turn_rank(&view->turn, gangster);
		unsigned worth = worth_of(input, gangster, rng);
		struct action take = { .verb = VERB_TAKE,
			               .seat = view->seat,
			               .args = { (uint8_t)gangster } };

		if (worth > best.worth &&
		    (!rank || pay_for(hand, gangster, rank, take.args)))
			best = (struct find){ worth, take };
	}
	return best;
}

/* The best target of a brute, among those worth more than that. */
static struct find find_threat(const struct bot_input *input, unsigned brute,
                               unsigned worth, struct rng *rng)
{
	const struct famiglia_view *view = input->view;
	uint64_t hand = view->hand & ~gangsters_just(brute);
	struct find best = { .worth = worth };

	for (unsigned i = 0; i < view->street.count; i++) {
		unsigned target = view->street.gangsters[i];
		unsigned rank = gangster_rank(target);
		uint8_t unused[ACTION_ARGS_MAX];

		for (unsigned by = 1; by <= rank && by <= gangster_rank(brute);
		     by++) {
			unsigned gain = worth_of(input, target, rng);

			if (gain <= best.worth ||
			    (by < rank &&
			     !pay_for(hand, target, rank - by, unused)))
				continue;
			best.worth = gain;
			best.action = (struct action){
				.verb = VERB_THREATEN,
				.seat = view->seat,
				.args = { (uint8_t)brute, (uint8_t)target,
				          (uint8_t)by },
			};
		}
	}
	return best;
}

/* The highest gangster of the street: it makes most room for others. */
static unsigned highest(const struct street *street)
{
	unsigned best = street->gangsters[0];

	for (unsigned i = 1; i < street->count; i++) {
		if (gangster_rank(street->gangsters[i]) > gangster_rank(best))
			best = street->gangsters[i];
	}
	return best;
}

/* The brute of the lowest rank that makes more worth payable, and its target.
 */
static struct find threaten(const struct bot_input *input, unsigned worth,
                            struct rng *rng)
{
	const struct famiglia_view *view = input->view;
	uint64_t brutes = turn_able(view->hand, FAMILY_BRUTES);
	struct find best = { .worth = worth };
	unsigned brute = GANGSTER_NONE;

	if (turn_check_threat_step(&view->turn))
		return best;
	while ((brute = gangsters_next(brutes, brute))) {
		struct find find = find_threat(input, brute, best.worth, rng);

		if (find.action.verb)
			best = find;
	}
	return best;
}

/* A legal action of the view's seat; VERB_NONE if it is not its turn. */
static struct bot_choice choose(const struct bot_input *input, struct rng *rng,
                                void *work)
{
	const struct famiglia_view *view = input->view;
	struct bot_choice choice = { .hesitation = 500 };

	(void)work;
	if (!view->may_move)
		return choice;
	struct find take = find_take(input, view->hand, rng);
	if (bot_level_get(input->level)->believes) {
		struct find threat =
			threaten(input, take.worth + THREAT_COST, rng);

		if (threat.action.verb) {
			choice.action = threat.action;
			return choice;
		}
	}
	choice.action = take.action;
	if (take.worth)
		return choice;
	choice.action =
		(struct action){ .verb = VERB_PASS, .seat = view->seat };
	if (view->may_refill && view->street.count) {
		choice.action.verb = VERB_REFILL;
		choice.action.args[ARG_PLAYED] =
			(uint8_t)highest(&view->street);
	}
	return choice;
}

static unsigned winner(const void *from)
{
	const struct famiglia_view *view = from;

	return view->result.winner;
}

const struct bot_rules bot_famiglia = {
	.choose = choose,
	.winner = winner,
};
