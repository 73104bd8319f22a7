/*
 * gang_player.c - chooses what happens next in a game of The Gang.
 *
 * player_choose() looks at the table and picks an action, mostly one that
 * brings the game nearer to its end.  The policy says how often a player does
 * something else: nonsense, quarrels about chips, leaving.  The same seed and
 * the same table always give the same action.
 */
#include "gang_player.h"

/* Fewer players are likelier: their games are shorter to look through. */
static unsigned player_count(struct sim_random *random)
{
	static const uint8_t players[] = { 3, 3, 3, 3, 3, 4, 4, 4, 5, 6 };

	return players[sim_below(random, ARRAY_LEN(players))];
}

/* --- a table -------------------------------------------------------------- */

void player_open_table(struct table *table, struct gang *gang)
{
	memset(gang, 0, sizeof(*gang));
	*table = (struct table){ .rules = &gang_ruleset, .state = gang };
}

/* --- players -------------------------------------------------------------- */

struct player_policy player_policy(struct sim_random *random)
{
	static const unsigned percents[] = { 0, 1, 5, 20 };
	static const unsigned rarely[] = { 0, 0, 0, 1 };

	return (struct player_policy){
		.mode = (uint8_t)(1 + sim_below(random, 4)),
		.shuffled = sim_percent(random, 25),
		.confirms = sim_percent(random, 25),
		.nonsense = percents[sim_below(random, 4)],
		.trouble = percents[sim_below(random, 4)],
		.restless = rarely[sim_below(random, 4)],
		.eager = percents[1 + sim_below(random, 3)],
		.skilled = sim_below(random, 256),
		.knowing = sim_below(random, 256),
	};
}

struct action player_create(const struct player_policy *policy,
                            struct sim_random *random)
{
	return (struct action){
		.verb = VERB_CREATE,
		.args = { [CREATE_SEATS] = (uint8_t)player_count(random),
		          [CREATE_OPTIONS + GANG_OPTION_MODE] = policy->mode,
		          [CREATE_OPTIONS + GANG_OPTION_SHUFFLED] =
		                  policy->shuffled,
		          [CREATE_OPTIONS + GANG_OPTION_CONFIRMS] =
		                  policy->confirms },
	};
}

unsigned player_seat(unsigned seats, struct sim_random *random)
{
	return 1 + sim_below(random, seats);
}

/* The arguments of a ruleset's verb, as a request may have them. */
static void random_arguments(struct action *action, unsigned seats,
                             struct sim_random *random)
{
	unsigned from = sim_below(random, seats + 2);

	switch ((enum gang_verb)action->verb) {
	case VERB_TAKE:
		action->args[ARG_FROM] =
			from > seats ? CHIP_FROM_ANYWHERE : (uint8_t)from;
		__attribute__((fallthrough));
	case VERB_RETURN:
		action->args[ARG_COLOR] =
			(uint8_t)sim_below(random, COLOR_COUNT);
		action->args[ARG_STARS] =
			(uint8_t)player_seat(CHIPS_MAX, random);
		return;
	case VERB_NEXT_HEIST:
	case VERB_CONFIRM_ROUND:
		return;
	case VERB_PROPOSE:
		action->args[ARG_SEAT] =
			(uint8_t)player_seat(CHIPS_MAX, random);
		action->args[ARG_TARGET] = (uint8_t)sim_below(random, 7);
		if (sim_percent(random, 50))
			action->args[ARG_VALUE] =
				(uint8_t)sim_below(random, CARD_RANKS + 1);
		return;
	case VERB_VOTE:
		action->args[ARG_AGREES] = sim_percent(random, 50);
		return;
	case VERB_CHOOSE:
		action->args[ARG_CARD] =
			(uint8_t)sim_below(random, CARD_COUNT + 1);
		if (action->args[ARG_CARD] == CARD_COUNT)
			action->args[ARG_CARD] = CHOICE_LOOKED;
		return;
	case VERB_ANSWER:
		action->args[ARG_QUESTION] =
			sim_percent(random, 50) ? CHALLENGE_RETINA_SCAN
						: CHALLENGE_FINGERPRINT_SCAN;
		action->args[ARG_ANSWER] = (uint8_t)player_seat(10, random);
		return;
	}
}

struct action player_nonsense(unsigned seats, struct sim_random *random)
{
	static const uint8_t verbs[] = {
		VERB_TAKE,          VERB_TAKE,    VERB_RETURN,  VERB_RETURN,
		VERB_NEXT_HEIST,    VERB_PROPOSE, VERB_VOTE,    VERB_CHOOSE,
		VERB_ANSWER,        VERB_START,   VERB_REMATCH, VERB_JOIN,
		VERB_CONFIRM_ROUND,
	};
	struct action action = {
		.verb = verbs[sim_below(random, ARRAY_LEN(verbs))],
		.seat = (uint8_t)player_seat(seats, random),
	};

	if (action.verb >= VERB_OF_RULESET)
		random_arguments(&action, seats, random);
	return action;
}

static struct action take_chip(const struct gang *gang, unsigned seat,
                               unsigned stars)
{
	return (struct action){
		.verb = VERB_TAKE,
		.seat = (uint8_t)seat,
		.args = { [ARG_COLOR] = (uint8_t)(gang->heist.round - 1),
		          [ARG_STARS] = (uint8_t)stars,
		          [ARG_FROM] = CHIP_FROM_ANYWHERE },
	};
}

/* A legal move of a random seat that need not bring the round nearer its end */
static struct action make_trouble(const struct gang *gang,
                                  struct sim_random *random)
{
	const struct chips *chips = &gang->heist.chips[gang->heist.round - 1];
	unsigned stars = player_seat(gang->players, random);
	unsigned seat = player_seat(gang->players, random);
	struct action action = take_chip(gang, seat, stars);

	if (chips_holder(chips, stars) == seat) {
		action.verb = VERB_RETURN;
		action.args[ARG_FROM] = 0;
	}
	return action;
}

/* Somebody who has not confirmed the round does; at an empty table one joins.
 */
static struct action confirm(const struct heist *heist,
                             struct sim_random *random)
{
	unsigned owing = heist_voters(heist) & ~(unsigned)heist->confirmed;
	unsigned seat;

	if (!owing)
		return (struct action){ .verb = VERB_JOIN };
	do {
		seat = player_seat(heist->setup.players, random);
	} while (!(owing >> seat & 1));
	return (struct action){ .verb = VERB_CONFIRM_ROUND,
		                .seat = (uint8_t)seat };
}

/* A seat without a chip takes one from the centre. */
static struct action settle(const struct gang *gang, struct sim_random *random)
{
	const struct chips *chips = &gang->heist.chips[gang->heist.round - 1];
	unsigned stars;
	unsigned seat;

	if (chips_settled(chips))
		return confirm(&gang->heist, random);
	do {
		seat = player_seat(gang->players, random);
	} while (chips_held(chips, seat));
	do {
		stars = player_seat(gang->players, random);
	} while (chips_holder(chips, stars) != CHIPS_CENTER);
	return take_chip(gang, seat, stars);
}

/* --- skill ---------------------------------------------------------------- */

/* The strength in the showdown: the ranking, the specialist, the cards. */
static uint64_t strength_of(const struct heist *heist, unsigned seat)
{
	const struct ability *use = &heist->ability;
	struct hand hand =
		pocket_hand(&heist->pockets[seat - 1], heist->community,
	                    heist->community_count);
	bool has_muscle = use->specialist == SPECIALIST_MUSCLE &&
	                  use->state == ABILITY_USED &&
	                  use->proposal.seat == seat;

	return (uint64_t)hand.ranking << 40 | (uint64_t)has_muscle << 36 |
	       hand.value;
}

unsigned player_deserved_stars(const struct gang *gang, unsigned seat)
{
	uint64_t own = strength_of(&gang->heist, seat);
	unsigned stars = 1;

	for (unsigned other = 1; other <= gang->players; other++) {
		uint64_t strength = strength_of(&gang->heist, other);

		if (strength < own || (strength == own && other < seat))
			stars++;
	}
	return stars;
}

/*
 * A seat whose red chip is not the one it deserves takes that.  Without such a
 * seat, the round is to be confirmed.
 */
static struct action order_red_chips(const struct gang *gang,
                                     struct sim_random *random)
{
	const struct chips *chips = &gang->heist.chips[COLOR_RED];

	for (unsigned seat = 1; seat <= gang->players; seat++) {
		unsigned stars = player_deserved_stars(gang, seat);

		if (chips_held(chips, seat) != stars)
			return take_chip(gang, seat, stars);
	}
	assert_true(gang->confirms_rounds);
	return confirm(&gang->heist, random);
}

unsigned player_true_answer(const struct heist *heist, unsigned challenge)
{
	const struct chips *red = &heist->chips[COLOR_RED];
	const struct pocket *pocket =
		&heist->pockets[chips_holder(red, red->count) - 1];
	struct hand hand = pocket_hand(pocket, heist->community, COMMUNITY_MAX);

	return 1 + (challenge == CHALLENGE_RETINA_SCAN
	                    ? card_rank(pocket->cards[0])
	                    : hand.ranking);
}

/* Somebody answers: mostly all the same, and rightly if they know. */
static struct action answer_question(const struct gang *gang,
                                     const struct player_policy *policy,
                                     struct sim_random *random)
{
	const struct heist *heist = &gang->heist;
	const struct chips *red = &heist->chips[COLOR_RED];
	unsigned about = chips_holder(red, red->count);
	unsigned challenge;
	unsigned seat;

	do {
		challenge = sim_percent(random, 50)
		                    ? CHALLENGE_RETINA_SCAN
		                    : CHALLENGE_FINGERPRINT_SCAN;
	} while (!(heist->setup.challenges >> challenge & 1));
	do {
		seat = player_seat(gang->players, random);
	} while (seat == about);

	unsigned max =
		challenge == CHALLENGE_RETINA_SCAN ? CARD_RANKS : RANKING_COUNT;
	unsigned value = player_true_answer(heist, challenge);
	if (!(policy->knowing >> heist->setup.number & 1))
		value = value % max + 1;
	if (sim_percent(random, 15))
		value = 1 + sim_below(random, max);
	return (struct action){
		.verb = VERB_ANSWER,
		.seat = (uint8_t)seat,
		.args = { [ARG_QUESTION] = (uint8_t)challenge,
		          [ARG_ANSWER] = (uint8_t)value },
	};
}

/* --- specialists ---------------------------------------------------------- */

/* A use of the specialist that can be proposed. */
static struct action propose(const struct gang *gang, struct sim_random *random)
{
	unsigned specialist = gang->heist.setup.specialist;
	unsigned seat = player_seat(gang->players, random);
	struct action action = {
		.verb = VERB_PROPOSE,
		.seat = (uint8_t)player_seat(gang->players, random),
		.args = { [ARG_SEAT] = (uint8_t)seat },
	};

	if (specialist == SPECIALIST_INFORMANT)
		action.args[ARG_TARGET] =
			(uint8_t)(1 + (seat +
		                       sim_below(random, gang->players - 1U)) %
		                              gang->players);
	if (specialist == SPECIALIST_MASTERMIND)
		action.args[ARG_VALUE] =
			(uint8_t)player_seat(CARD_RANKS, random);
	return action;
}

/* Most who have not agreed yet agree. */
static struct action vote(const struct gang *gang, struct sim_random *random)
{
	unsigned seat;

	do {
		seat = player_seat(gang->players, random);
	} while (gang->heist.ability.proposal.agreed >> seat & 1);
	return (struct action){
		.verb = VERB_VOTE,
		.seat = (uint8_t)seat,
		.args = { [ARG_AGREES] = sim_percent(random, 90) },
	};
}

/* Somebody who owes a choice makes it. */
static struct action choose_option(const struct gang *gang,
                                   struct sim_random *random)
{
	uint8_t options[OPTIONS_MAX];
	unsigned seat;

	do {
		seat = player_seat(gang->players, random);
	} while (!(gang->heist.ability.choosing >> seat & 1));
	unsigned count = choice_options(&gang->heist, seat, options);
	return (struct action){
		.verb = VERB_CHOOSE,
		.seat = (uint8_t)seat,
		.args = { [ARG_CARD] = count ? options[sim_below(random, count)]
		                             : CHOICE_LOOKED },
	};
}

/* True if there is one who has to be asked for it. */
static bool may_propose(const struct heist *heist)
{
	static const unsigned asked =
		1 << SPECIALIST_INFORMANT | 1 << SPECIALIST_GETAWAY_DRIVER |
		1 << SPECIALIST_MASTERMIND | 1 << SPECIALIST_HACKER |
		1 << SPECIALIST_JACK | 1 << SPECIALIST_MUSCLE;

	return asked >> heist->setup.specialist & 1 &&
	       heist->ability.state == ABILITY_AVAILABLE;
}

/* --- what happens next ---------------------------------------------------- */

static struct action gather(const struct table *table,
                            struct sim_random *random)
{
	bool start = table->seats >= GANG_PLAYERS_MIN && sim_percent(random, 5);

	return (struct action){ .verb = start ? VERB_START : VERB_JOIN,
		                .seat = table->host };
}

/* Somebody leaves, is removed by the host, or was absent for too long. */
static struct action leave(const struct table *table, struct sim_random *random)
{
	unsigned seat = player_seat(table->seats, random);
	unsigned how = sim_below(random, 3);
	struct action action = {
		.verb = VERB_LEAVE,
		.seat = (uint8_t)seat,
		.args = { [LEAVE_SEAT] = (uint8_t)seat },
	};

	if (how == 1)
		action.seat = table->host;
	if (how == 2) {
		action.seat = (uint8_t)player_seat(table->seats, random);
		action.args[LEAVE_ABSENT] = true;
	}
	return action;
}

/* In a heist that is not over. */
static struct action play_on(const struct gang *gang,
                             const struct player_policy *policy,
                             struct sim_random *random)
{
	const struct heist *heist = &gang->heist;
	const struct ability *use = &heist->ability;

	if (heist_is_asking(heist))
		return answer_question(gang, policy, random);
	if (sim_percent(random, policy->trouble))
		return make_trouble(gang, random);
	if (use->choosing)
		return choose_option(gang, random);
	if (use->state == ABILITY_PROPOSED && sim_percent(random, 50))
		return vote(gang, random);
	if (may_propose(heist) && sim_percent(random, policy->eager))
		return propose(gang, random);
	if (heist->round == COLOR_COUNT &&
	    policy->skilled >> heist->setup.number & 1)
		return order_red_chips(gang, random);
	return settle(gang, random);
}

struct action player_choose(const struct table *table,
                            const struct player_policy *policy,
                            struct sim_random *random)
{
	const struct gang *gang = table->state;

	if (table->version == 0)
		return player_create(policy, random);
	if (sim_percent(random, policy->nonsense))
		return player_nonsense(table->seats, random);
	if (table->status == STATUS_LOBBY)
		return gather(table, random);
	if (table->vacant && sim_percent(random, 10))
		return (struct action){ .verb = VERB_JOIN };
	if (sim_percent(random, policy->restless))
		return leave(table, random);
	if (gang->heist.outcome != OUTCOME_OPEN)
		return (struct action){
			.verb = VERB_NEXT_HEIST,
			.seat = (uint8_t)player_seat(gang->players, random)
		};
	return play_on(gang, policy, random);
}
