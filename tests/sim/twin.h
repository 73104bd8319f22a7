/*
 * twin.h - pairs of games that a viewer must not be able to tell apart.
 *
 * Shared by the tests of secrecy, here and over HTTP.  A twin is a game in
 * which what its viewer may not see is another.  What that is stands in
 * twin_sort(), and nowhere else: a new place for cards has its line there,
 * and there is an assertion that none was forgotten.
 */
#ifndef TESTS_SIM_TWIN_H
#define TESTS_SIM_TWIN_H

#include "sim.h"

/* --- scenes --------------------------------------------------------------- */

/* A game at some moment. */
struct scene {
	struct table table;
	struct gang gang;
	struct chance chance; /* of the last action */
	struct events events; /* of the last action */
};

static inline void scene_copy(struct scene *to, const struct scene *from)
{
	*to = *from;
	to->table.state = &to->gang;
}

static inline enum err scene_act(struct scene *scene,
                                 const struct action *action,
                                 const uint8_t seed[CHANCE_SEED_SIZE])
{
	chance_init(&scene->chance, seed);
	scene->events.count = 0;
	return table_act(&scene->table, action, &scene->chance, &scene->events);
}

/* The pocket cards, as the log of a deal keeps them. */
static inline void event_pockets(struct event *deal, const struct heist *heist)
{
	deal->secret_len = 0;
	for (unsigned i = 0; i < heist->players; i++) {
		for (unsigned j = 0; j < heist->pockets[i].count; j++)
			event_secret(deal, heist->pockets[i].cards[j]);
	}
}

/* --- what is hidden ------------------------------------------------------- */

/* Where values lie that may be exchanged among each other. */
struct places {
	unsigned count;
	uint8_t *at[CARD_COUNT];
};

static inline void places_add(struct places *places, uint8_t *values,
                              unsigned count)
{
	assert_true(places->count + count <= CARD_COUNT);
	for (unsigned i = 0; i < count; i++)
		places->at[places->count++] = &values[i];
}

static inline void swap_cards(uint8_t *a, uint8_t *b)
{
	uint8_t card = *a;

	*a = *b;
	*b = card;
}

static inline void places_shuffle(struct places *places,
                                  struct sim_random *random)
{
	for (unsigned left = places->count; left > 1; left--)
		swap_cards(places->at[sim_below(random, left)],
		           places->at[left - 1]);
}

/*
 * All cards of a heist: those that the viewer may not see, and those that
 * stay where they are, as do the next ones of the deck, so many.
 */
static inline void twin_sort(struct heist *heist, unsigned viewer,
                             unsigned next, struct places *hidden,
                             struct places *kept)
{
	bool over = heist->outcome != OUTCOME_OPEN;
	unsigned rest = heist->deck_count - next;

	hidden->count = kept->count = 0;
	for (unsigned i = 0; i < heist->players; i++) {
		struct pocket *pocket = &heist->pockets[i];
		places_add(over || i + 1 == viewer ? kept : hidden,
		           pocket->cards, pocket->count);
	}
	places_add(kept, heist->community, heist->community_count);
	places_add(hidden, heist->deck, rest);
	places_add(kept, heist->deck + rest, next);
	places_add(hidden, heist->discards, heist->discards_count);
	assert_int_equal(hidden->count + kept->count, CARD_DECK_COUNT);
}

/*
 * Exchange what is hidden in a copy; false if the copy is no game that can
 * be.  The next cards of the deck may stay where they are, so that both can
 * go on together when those are opened.
 */
MUST_CHECK static inline bool twin_make(struct scene *twin,
                                        const struct scene *original,
                                        unsigned viewer,
                                        struct sim_random *random)
{
	unsigned next = sim_below(random, 2) * HEIST_COMMUNITY_MAX;
	struct places hidden;
	struct places kept;

	scene_copy(twin, original);
	twin_sort(&twin->gang.heist, viewer, next, &hidden, &kept);
	places_shuffle(&hidden, random);
	return gang_valid(&twin->gang);
}

/* True once the rules have opened cards that the two differ in. */
static inline bool twins_are_opened(const struct scene *one,
                                    const struct scene *other)
{
	const struct heist *a = &one->gang.heist;
	const struct heist *b = &other->gang.heist;

	return memcmp(a->community, b->community, sizeof(a->community)) != 0 ||
	       (a->outcome != OUTCOME_OPEN &&
	        memcmp(a->pockets, b->pockets, sizeof(a->pockets)) != 0);
}

/* --- what was met --------------------------------------------------------- */

struct twin_tally {
	unsigned viewers[GANG_PLAYERS_MAX + 1][GANG_PLAYERS_MAX + 1];
	unsigned phases[STATUS_COUNT][COLOR_COUNT + 2];
};

static inline void tally_pair(struct twin_tally *tally,
                              const struct scene *scene, unsigned viewer)
{
	const struct heist *heist = &scene->gang.heist;
	unsigned over = heist->outcome == OUTCOME_OPEN ? 0 : 1;

	tally->viewers[scene->table.seats][viewer]++;
	tally->phases[scene->table.status][heist->round + over]++;
}

/* Every seat and a spectator of every table, every round and every end. */
static inline void tally_check(const struct twin_tally *tally)
{
	for (unsigned seats = GANG_PLAYERS_MIN; seats <= GANG_PLAYERS_MAX;
	     seats++) {
		for (unsigned seat = 0; seat <= seats; seat++)
			assert_int_not_equal(tally->viewers[seats][seat], 0);
	}
	for (unsigned round = 1; round <= COLOR_COUNT + 1; round++)
		assert_int_not_equal(tally->phases[STATUS_PLAYING][round], 0);
	assert_int_not_equal(tally->phases[STATUS_WON][COLOR_COUNT + 1], 0);
	assert_int_not_equal(tally->phases[STATUS_LOST][COLOR_COUNT + 1], 0);
}

#endif
