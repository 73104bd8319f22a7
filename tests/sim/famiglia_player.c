/*
 * famiglia_player.c - chooses what happens next in a game of Famiglia.
 *
 * Players look for something to do by trying actions on the rules, a few times;
 * some of them blunder on purpose.  fam_late() builds a game that is nearly
 * over, since random play hardly ever comes there.  The same seed and the same
 * table always give the same action.
 */
#include "famiglia_player.h"

void fam_open_table(struct table *table, struct famiglia *game)
{
	memset(game, 0, sizeof(*game));
	*table = (struct table){ .rules = &famiglia_ruleset, .state = game };
}

struct fam_policy fam_policy(struct sim_random *random)
{
	static const unsigned rare[] = { 0, 2, 10, 40 };
	static const unsigned often[] = { 0, 20, 60, 90 };
	static const unsigned passes[] = { 0, 0, 2, 10, 30 };

	return (struct fam_policy){
		.nonsense = rare[sim_below(random, 4)],
		.restless = sim_percent(random, 20) ? 2 : 0,
		.refills = often[sim_below(random, 4)],
		.swaps = often[sim_below(random, 4)],
		.threatens = often[sim_below(random, 4)],
		.passes = passes[sim_below(random, 5)],
		.saves = often[sim_below(random, 4)],
	};
}

/* --- what comes to mind --------------------------------------------------- */

unsigned fam_any_card(struct sim_random *random)
{
	return 1 + sim_below(random, GANGSTER_COUNT);
}

unsigned fam_one_of(uint64_t set, struct sim_random *random)
{
	unsigned skip;
	unsigned gangster = GANGSTER_NONE;

	if (!set)
		return fam_any_card(random);
	skip = sim_below(random, gangsters_count(set));
	do {
		gangster = gangsters_next(set, gangster);
	} while (skip--);
	return gangster;
}

void fam_some_of(uint64_t set, unsigned count, uint8_t *list,
                 struct sim_random *random)
{
	for (unsigned i = 0; i < count && set; i++) {
		list[i] = (uint8_t)fam_one_of(set, random);
		set &= ~gangsters_just(list[i]);
	}
}

struct action fam_act(const struct famiglia *game, unsigned verb)
{
	unsigned mover = famiglia_mover(game);

	return (struct action){ .verb = (uint8_t)verb,
		                .seat = (uint8_t)(mover ? mover : 1) };
}

static const struct side *fam_side(const struct famiglia *game)
{
	unsigned mover = famiglia_mover(game);

	return &game->sides[mover ? mover - 1 : 0];
}

static struct action fam_refill(const struct famiglia *game,
                                struct sim_random *random)
{
	struct action action = fam_act(game, VERB_REFILL);

	action.args[ARG_PLAYED] =
		(uint8_t)fam_one_of(street_set(&game->street), random);
	return action;
}

static struct action fam_swap(const struct famiglia *game,
                              struct sim_random *random)
{
	const struct side *side = fam_side(game);
	struct action action = fam_act(game, VERB_SWAP);
	uint64_t able = turn_able(side->hand, FAMILY_ACCOUNTANTS);
	unsigned played = fam_one_of(able, random);
	unsigned count = 1 + sim_below(random, gangster_rank(played) + 1);

	if (count > SWAP_MAX)
		count = SWAP_MAX;
	action.args[ARG_PLAYED] = (uint8_t)played;
	fam_some_of(side->hand & ~gangsters_just(played), count,
	            action.args + ARG_GIVE, random);
	fam_some_of(side->display, swap_count(action.args + ARG_GIVE),
	            action.args + ARG_TAKEN, random);
	return action;
}

static struct action fam_threaten(const struct famiglia *game,
                                  struct sim_random *random)
{
	struct action action = fam_act(game, VERB_THREATEN);
	uint64_t able = turn_able(fam_side(game)->hand, FAMILY_BRUTES);

	action.args[ARG_PLAYED] = (uint8_t)fam_one_of(able, random);
	action.args[ARG_THREATENED] =
		(uint8_t)fam_one_of(street_set(&game->street), random);
	action.args[ARG_BY] = (uint8_t)(1 + sim_below(random, 4));
	return action;
}

/* The cards of the street that the player can take now. */
static uint64_t fam_affordable(const struct famiglia *game)
{
	uint64_t found = 0;

	for (unsigned i = 0; i < game->street.count; i++) {
		unsigned gangster = game->street.gangsters[i];

		unsigned rank = turn_rank(&game->turn, gangster);
		uint64_t hand = fam_side(game)->hand;
		uint64_t pair = rank ? recruit_cards(hand, gangster, rank) : 0;

		if (pair)
			pair |= recruit_stand_ins(hand, rank);
		if (!rank || gangsters_count(pair) > 1)
			found |= gangsters_just(gangster);
	}
	return found;
}

/* Take a card, and pay for it with what may be right. */
static struct action fam_take_one(const struct famiglia *game,
                                  unsigned gangster, struct sim_random *random)
{
	struct action action = fam_act(game, VERB_TAKE);
	unsigned rank = turn_rank(&game->turn, gangster);
	uint64_t hand = fam_side(game)->hand;
	uint8_t *pay = action.args + ARG_PAY;
	unsigned at = sim_below(random, 2);

	action.args[ARG_PLAYED] = (uint8_t)gangster;
	if (rank == 0)
		return action;
	uint64_t cards = recruit_cards(hand, gangster, rank);
	pay[at] = (uint8_t)fam_one_of(cards, random);
	cards |= recruit_stand_ins(hand, rank);
	pay[!at] =
		(uint8_t)fam_one_of(cards & ~gangsters_just(pay[at]), random);
	action.args[ARG_KEEP] = pay[sim_below(random, 2)];
	return action;
}

static struct action fam_take(const struct famiglia *game,
                              struct sim_random *random)
{
	unsigned gangster = fam_one_of(street_set(&game->street), random);

	return fam_take_one(game, gangster, random);
}

/* --- blunders ------------------------------------------------------------- */

/* Two cards somehow, mostly of the hand. */
static void fam_wrong_pay(const struct famiglia *game, struct action *action,
                          struct sim_random *random)
{
	uint8_t *pay = action->args + ARG_PAY;
	uint64_t hand = fam_side(game)->hand;

	pay[0] = (uint8_t)fam_one_of(hand, random);
	pay[1] = (uint8_t)(sim_percent(random, 80) ? fam_one_of(hand, random)
	                                           : fam_any_card(random));
	action->args[ARG_KEEP] = pay[sim_below(random, 2)];
	if (sim_percent(random, 20))
		memset(pay, 0, RECRUIT_PAY + 1);
}

/* Two mercenaries. */
static void fam_two_stand_ins(const struct famiglia *game,
                              struct action *action, struct sim_random *random)
{
	uint8_t *pay = action->args + ARG_PAY;

	memset(pay, 0, RECRUIT_PAY);
	fam_some_of(turn_able(fam_side(game)->hand, FAMILY_MERCENARIES),
	            RECRUIT_PAY, pay, random);
	action->args[ARG_KEEP] = pay[0];
}

struct action fam_near(const struct famiglia *game, struct sim_random *random)
{
	uint64_t hand = fam_side(game)->hand;
	struct action action;

	switch (sim_below(random, 4)) {
	case 0:
		return fam_refill(game, random);
	case 1:
		action = fam_swap(game, random);
		break;
	case 2:
		action = fam_threaten(game, random);
		break;
	default:
		action = fam_take(game, random);
		if (sim_percent(random, 60))
			fam_wrong_pay(game, &action, random);
		else if (sim_percent(random, 40))
			fam_two_stand_ins(game, &action, random);
		return action;
	}
	if (sim_percent(random, 30))
		action.args[ARG_PLAYED] = (uint8_t)fam_one_of(hand, random);
	return action;
}

struct action fam_nonsense(const struct famiglia *game,
                           struct sim_random *random)
{
	struct action action = fam_near(game, random);
	unsigned at = sim_below(random, 1 + 2 * SWAP_MAX);

	if (sim_percent(random, 50))
		action.args[at] = (uint8_t)sim_below(random, 64);
	else if (sim_percent(random, 30))
		action.args[at] = action.args[ARG_PLAYED];
	if (sim_percent(random, 10))
		action.verb = (uint8_t)(VERB_OF_RULESET + sim_below(random, 6));
	if (sim_percent(random, 20))
		action.seat = (uint8_t)sim_below(random, 4);
	return action;
}

/* --- late in a game ------------------------------------------------------- */

/* Two may lie in the street, if one of them is free; the rest is owned. */
static void fam_own_late(struct famiglia *game, unsigned gangster,
                         struct sim_random *random)
{
	struct side *side = &game->sides[sim_below(random, FAMIGLIA_SEATS)];
	unsigned most = gangster_rank(gangster) ? 1 : 2;

	if (game->street.count < most)
		street_lay(&game->street, gangster);
	else if (sim_percent(random, 50))
		side->hand |= gangsters_just(gangster);
	else
		side->display |= gangsters_just(gangster);
}

static unsigned fam_rounds(const struct famiglia *game)
{
	unsigned rounds = 0;

	for (unsigned i = 0; i < FAMIGLIA_SEATS; i++) {
		const struct side *side = &game->sides[i];
		unsigned taken = gangsters_count(side->hand | side->display) -
		                 FAMILY_COUNT;

		if (taken > rounds)
			rounds = taken;
	}
	return rounds;
}

void fam_late(struct famiglia *game, struct sim_random *random)
{
	uint64_t rest = GANGSTERS_ALL;
	unsigned pile = sim_below(random, 9);
	unsigned discards = sim_below(random, 4);

	*game = (struct famiglia){ .starter = game->starter,
		                   .players = FAMIGLIA_SEATS };
	game->pile.second_pass = sim_percent(random, 30);
	for (unsigned seat = 1; seat <= FAMIGLIA_SEATS; seat++) {
		game->sides[seat - 1].hand = gangsters_first(seat);
		rest &= ~gangsters_first(seat);
	}
	while (rest) {
		unsigned gangster = fam_one_of(rest, random);
		bool is_zero = gangster_rank(gangster) == 0;
		struct pile *to = &game->pile;

		rest &= ~gangsters_just(gangster);
		if (to->count < pile && !(is_zero && to->second_pass))
			to->gangsters[to->count++] = (uint8_t)gangster;
		else if (gangsters_count(to->discards) < discards && pile &&
		         !is_zero && !to->second_pass)
			to->discards |= gangsters_just(gangster);
		else
			fam_own_late(game, gangster, random);
	}
	game->turn.number =
		(uint8_t)(1 + 2 * fam_rounds(game) + sim_below(random, 2));
	if (!game->pile.count)
		game->last_turn =
			(uint8_t)(game->turn.number + game->turn.number % 2);
}

/* --- what happens next ---------------------------------------------------- */

/* A few tries for something that can be done; false if all tries fail. */
static bool fam_find(const struct famiglia *game,
                     struct action (*step)(const struct famiglia *,
                                           struct sim_random *),
                     struct sim_random *random, struct action *found)
{
	for (unsigned i = 0; i < 6; i++) {
		*found = step(game, random);
		if (!famiglia_check(game, found))
			return true;
	}
	return false;
}

/* The dearest of what can be taken, or for who saves the cheapest. */
static unsigned fam_choose(const struct famiglia *game, bool cheapest)
{
	uint64_t set = fam_affordable(game);
	unsigned gangster = GANGSTER_NONE;
	unsigned best = GANGSTER_NONE;

	while ((gangster = gangsters_next(set, gangster))) {
		unsigned points = gangster_points(gangster);

		if (!best || (cheapest ? points < gangster_points(best)
		                       : points > gangster_points(best)))
			best = gangster;
	}
	return best;
}

/* The step that ends a turn, or one that makes a card affordable. */
static struct action fam_finish(const struct famiglia *game,
                                const struct fam_policy *policy,
                                struct sim_random *random)
{
	unsigned best = fam_choose(game, sim_percent(random, policy->saves));
	struct action action;

	if (sim_percent(random, policy->passes))
		return fam_act(game, VERB_PASS);
	if (best)
		return fam_take_one(game, best, random);
	if (fam_find(game, fam_refill, random, &action) ||
	    fam_find(game, fam_threaten, random, &action))
		return action;
	return fam_act(game, VERB_PASS);
}

static struct action fam_step(const struct famiglia *game,
                              const struct fam_policy *policy,
                              struct sim_random *random)
{
	struct action action;

	if (sim_percent(random, policy->refills) &&
	    fam_find(game, fam_refill, random, &action))
		return action;
	if (sim_percent(random, policy->swaps) &&
	    fam_find(game, fam_swap, random, &action))
		return action;
	if (sim_percent(random, policy->threatens) &&
	    fam_find(game, fam_threaten, random, &action))
		return action;
	return fam_finish(game, policy, random);
}

struct action fam_next(const struct table *table,
                       const struct fam_policy *policy,
                       struct sim_random *random)
{
	const struct famiglia *game = table->state;

	if (table->version == 0)
		return (struct action){ .verb = VERB_CREATE,
			                .args = { [CREATE_SEATS] = 2 } };
	if (table->status == STATUS_LOBBY)
		return (struct action){ .verb = VERB_JOIN };
	if (sim_percent(random, policy->nonsense))
		return fam_nonsense(game, random);
	if (sim_percent(random, policy->restless)) {
		uint8_t seat = (uint8_t)(1 + sim_below(random, 2));
		uint8_t by = (uint8_t)(1 + sim_below(random, 2));
		bool is_absent = sim_percent(random, 30);

		return (struct action){ .verb = VERB_LEAVE,
			                .seat = by,
			                .args = { seat, is_absent } };
	}
	return fam_step(game, policy, random);
}
