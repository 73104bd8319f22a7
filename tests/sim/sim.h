/*
 * sim.h - games of The Gang that play themselves, from a seed.
 *
 * Shared by the tests of this folder.  The players know all cards, as only a
 * test may, so that they can end a heist rightly or wrongly as often as they
 * like.
 */
#ifndef TESTS_SIM_H
#define TESTS_SIM_H

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "gang/gang.h"
#include "gang/ruleset.h"
#include "gang/view.h"
#include "table/table.h"

/* --- chance --------------------------------------------------------------- */

struct sim_random {
	uint64_t state;
};

/* Numbers that look random, always the same (splitmix64). */
static inline uint64_t sim_next(struct sim_random *random)
{
	uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static inline unsigned sim_below(struct sim_random *random, unsigned below)
{
	return (unsigned)(sim_next(random) % below);
}

/* True so often of a hundred times. */
static inline bool sim_percent(struct sim_random *random, unsigned percent)
{
	return sim_below(random, 100) < percent;
}

/* A seed for the rules to expand. */
static inline void sim_seed(struct sim_random *random,
                            uint8_t seed[CHANCE_SEED_SIZE])
{
	for (unsigned i = 0; i < CHANCE_SEED_SIZE; i++)
		seed[i] = (uint8_t)sim_next(random);
}

/* Fewer players are likelier: their games are shorter to look through. */
static inline unsigned sim_players(struct sim_random *random)
{
	static const uint8_t players[] = { 3, 3, 3, 3, 3, 4, 4, 4, 5, 6 };

	return players[sim_below(random, ARRAY_LEN(players))];
}

/* --- a table -------------------------------------------------------------- */

/* A table before its game is created. */
static inline void sim_open(struct table *table, struct gang *gang)
{
	memset(gang, 0, sizeof(*gang));
	*table = (struct table){ .rules = &gang_ruleset, .state = gang };
}

static inline struct action sim_create(struct sim_random *random)
{
	return (struct action){
		.verb = VERB_CREATE,
		.args = { [CREATE_SEATS] = (uint8_t)sim_players(random),
		          [CREATE_MODE] = GANG_MODE_BASIC },
	};
}

/* --- players -------------------------------------------------------------- */

/* How the players of one game behave; percentages. */
struct sim_policy {
	unsigned nonsense; /* anything a client can send */
	unsigned trouble;  /* chips taken from each other and put back */
	unsigned skilled;  /* bit n: heist n ends in the right order */
};

static inline struct sim_policy sim_policy(struct sim_random *random)
{
	static const unsigned percents[] = { 0, 1, 5, 20 };

	return (struct sim_policy){
		.nonsense = percents[sim_below(random, 4)],
		.trouble = percents[sim_below(random, 4)],
		.skilled = sim_below(random, 256),
	};
}

/* Any action that a request can be decoded to, mostly wrong ones. */
static inline struct action sim_nonsense(unsigned seats,
                                         struct sim_random *random)
{
	static const uint8_t verbs[] = { VERB_TAKE,       VERB_TAKE,
		                         VERB_RETURN,     VERB_RETURN,
		                         VERB_NEXT_HEIST, VERB_START,
		                         VERB_JOIN };
	unsigned from = sim_below(random, seats + 2);
	struct action action = {
		.verb = verbs[sim_below(random, ARRAY_LEN(verbs))],
		.seat = (uint8_t)(1 + sim_below(random, seats)),
	};

	if (action.verb != VERB_TAKE && action.verb != VERB_RETURN)
		return action;
	action.args[ARG_COLOR] = (uint8_t)sim_below(random, COLOR_COUNT);
	action.args[ARG_STARS] = (uint8_t)(1 + sim_below(random, CHIPS_MAX));
	if (action.verb == VERB_TAKE)
		action.args[ARG_FROM] =
			from > seats ? CHIP_FROM_ANYWHERE : (uint8_t)from;
	return action;
}

static inline struct action sim_take(const struct gang *gang, unsigned seat,
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
static inline struct action sim_trouble(const struct gang *gang,
                                        struct sim_random *random)
{
	const struct chips *chips = &gang->heist.chips[gang->heist.round - 1];
	unsigned stars = 1 + sim_below(random, gang->players);
	unsigned seat = 1 + sim_below(random, gang->players);
	struct action action = sim_take(gang, seat, stars);

	if (chips_holder(chips, stars) == seat) {
		action.verb = VERB_RETURN;
		action.args[ARG_FROM] = 0;
	}
	return action;
}

/* A seat without a chip takes one from the centre. */
static inline struct action sim_settle(const struct gang *gang,
                                       struct sim_random *random)
{
	const struct chips *chips = &gang->heist.chips[gang->heist.round - 1];
	unsigned stars;
	unsigned seat;

	do {
		seat = 1 + sim_below(random, gang->players);
	} while (chips_held(chips, seat));
	do {
		stars = 1 + sim_below(random, gang->players);
	} while (chips_holder(chips, stars) != CHIPS_CENTER);
	return sim_take(gang, seat, stars);
}

/* The stars that a seat deserves: one, and one for each weaker hand. */
static inline unsigned sim_deserved(const struct gang *gang, unsigned seat)
{
	const struct heist *heist = &gang->heist;
	uint32_t values[HEIST_PLAYERS_MAX];
	unsigned stars = 1;

	for (unsigned i = 0; i < gang->players; i++)
		values[i] = heist_hand(heist->community, heist->community_count,
		                       &heist->pockets[i])
		                    .value;
	for (unsigned i = 0; i < gang->players; i++) {
		if (values[i] < values[seat - 1] ||
		    (values[i] == values[seat - 1] && i < seat - 1))
			stars++;
	}
	return stars;
}

/* A seat whose red chip is not the one it deserves takes that. */
static inline struct action sim_order(const struct gang *gang)
{
	const struct chips *chips = &gang->heist.chips[COLOR_RED];
	unsigned seat = 1;
	unsigned stars = sim_deserved(gang, seat);

	while (chips_held(chips, seat) == stars) {
		seat++;
		assert_in_range(seat, 1, gang->players);
		stars = sim_deserved(gang, seat);
	}
	return sim_take(gang, seat, stars);
}

static inline struct action sim_gather(const struct table *table,
                                       struct sim_random *random)
{
	bool start = table->seats >= GANG_PLAYERS_MIN && sim_percent(random, 5);

	return (struct action){ .verb = start ? VERB_START : VERB_JOIN,
		                .seat = table->host };
}

/* What happens next at a table that is not over; may well be refused. */
static inline struct action sim_choose(const struct table *table,
                                       const struct sim_policy *policy,
                                       struct sim_random *random)
{
	const struct gang *gang = table->state;
	const struct heist *heist = &gang->heist;

	if (table->version == 0)
		return sim_create(random);
	if (sim_percent(random, policy->nonsense))
		return sim_nonsense(table->seats, random);
	if (table->status == STATUS_LOBBY)
		return sim_gather(table, random);
	if (heist->outcome != OUTCOME_OPEN)
		return (struct action){
			.verb = VERB_NEXT_HEIST,
			.seat = (uint8_t)(1 + sim_below(random, gang->players))
		};
	if (sim_percent(random, policy->trouble))
		return sim_trouble(gang, random);
	if (heist->round == COLOR_COUNT && policy->skilled >> heist->number & 1)
		return sim_order(gang);
	return sim_settle(gang, random);
}

/* --- settings ------------------------------------------------------------- */

/* A number from the environment; fails the test if it is none. */
static inline uint64_t sim_setting(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);
	char *end;

	if (!text)
		return otherwise;
	errno = 0;
	uint64_t value = strtoull(text, &end, 10);
	if (errno || end == text || *end)
		fail_msg("%s=%s is no number", name, text);
	return value;
}

#endif
