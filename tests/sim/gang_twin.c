/*
 * gang_twin.c - exchanges what a viewer of The Gang may not see.
 *
 * twin_sort() puts every card of a heist into one of two lists: hidden from the
 * viewer, or staying where it is; together they must be a whole deck.  The
 * hidden ones change places at random.  Choices, memories and the order of
 * shuffled stacks are hidden too and are drawn anew.  The twin must still be a
 * game that play can come to: gang_reachable() accepts it.
 */
#include "gang_twin.h"

#include "gang_reachable.h"

/* --- scenes --------------------------------------------------------------- */

void scene_copy(struct scene *to, const struct scene *from)
{
	*to = *from;
	to->table.state = &to->gang;
}

enum err scene_act(struct scene *scene, const struct action *action,
                   const uint8_t seed[RNG_SEED_SIZE])
{
	rng_init(&scene->rng, seed);
	scene->events.count = 0;
	return table_apply(&scene->table, action, &scene->rng, &scene->events);
}

/* --- cards that are hidden ------------------------------------------------ */

/* Where values lie that may be exchanged among each other. */
struct places {
	unsigned count;
	uint8_t *at[CARD_COUNT];
};

static void places_add(struct places *places, uint8_t *values, unsigned count)
{
	assert_true(places->count + count <= CARD_COUNT);
	for (unsigned i = 0; i < count; i++)
		places->at[places->count++] = &values[i];
}

void swap_cards(uint8_t *a, uint8_t *b)
{
	uint8_t card = *a;

	*a = *b;
	*b = card;
}

static void places_shuffle(struct places *places, struct sim_random *random)
{
	for (unsigned left = places->count; left > 1; left--)
		swap_cards(places->at[sim_below(random, left)],
		           places->at[left - 1]);
}

/* Everybody knows where it went: to the seat that asked for it. */
static void places_keep_jack(struct places *hidden, struct places *kept)
{
	for (unsigned i = 0; i < hidden->count; i++) {
		if (*hidden->at[i] != CARD_JX)
			continue;
		kept->at[kept->count++] = hidden->at[i];
		hidden->at[i] = hidden->at[--hidden->count];
		return;
	}
}

/* The seat's cards lie open, or are the viewer's own. */
static bool twin_knows(const struct heist *heist, unsigned viewer,
                       unsigned seat)
{
	const struct chips *red = &heist->chips[COLOR_RED];

	return seat == viewer || heist->outcome != OUTCOME_OPEN ||
	       (heist_is_asking(heist) &&
	        seat != chips_holder(red, red->count));
}

/* The viewer gets it next, when all have laid one out. */
static bool twin_gets(const struct heist *heist, unsigned viewer, unsigned seat,
                      unsigned card)
{
	return card == heist->ability.laid_out[seat - 1] &&
	       seat % heist->setup.players + 1 == viewer;
}

/*
 * All cards of a heist: those that the viewer may not see, and those that
 * stay where they are.  The first "next" cards of the deck stay, too.
 */
static void twin_sort(struct heist *heist, unsigned viewer, unsigned next,
                      struct places *hidden, struct places *kept)
{
	struct ability *use = &heist->ability;
	bool draws = use->drawn != CARD_NONE;
	bool chooses = use->choosing >> viewer & 1;

	if (next > heist->deck_count)
		next = heist->deck_count;
	unsigned rest = heist->deck_count - next;

	hidden->count = kept->count = 0;
	if (heist->outcome == OUTCOME_ABANDONED)
		return;
	for (unsigned i = 0; i < heist->setup.players; i++) {
		struct pocket *pocket = &heist->pockets[i];

		for (unsigned j = 0; j < pocket->count; j++) {
			uint8_t *card = &pocket->cards[j];
			bool stays = twin_knows(heist, viewer, i + 1) ||
			             (next &&
			              twin_gets(heist, viewer, i + 1, *card));

			places_add(stays ? kept : hidden, card, 1);
		}
	}
	places_add(kept, heist->community, heist->community_count);
	places_add(hidden, heist->deck, rest);
	places_add(kept, heist->deck + rest, next);
	places_add(hidden, heist->discards, heist->discards_count);
	if (draws)
		places_add(chooses ? kept : hidden, &use->drawn, 1);
	places_keep_jack(hidden, kept);
	assert_int_equal(hidden->count + kept->count,
	                 CARD_DECK_COUNT + ability_brings_jack(heist));
}

/* --- what else is hidden of a state --------------------------------------- */

/* Some card of a pocket, which is not Jx. */
static uint8_t twin_card_of(const struct pocket *pocket,
                            struct sim_random *random)
{
	uint8_t card;

	do {
		card = pocket->cards[sim_below(random, pocket->count)];
	} while (card == CARD_JX);
	return card;
}

/*
 * Which cards others have laid out to be passed, but for one that the viewer
 * gets and that is to stay.
 */
static void twin_lay_out(struct heist *heist, unsigned viewer, bool keeps_next,
                         struct sim_random *random)
{
	for (unsigned seat = 1; seat <= heist->setup.players; seat++) {
		uint8_t *card = &heist->ability.laid_out[seat - 1];

		if (seat == viewer || *card == CARD_NONE ||
		    (keeps_next && twin_gets(heist, viewer, seat, *card)))
			continue;
		*card = twin_card_of(&heist->pockets[seat - 1], random);
	}
}

/* Exchange the shown and the former cards of others. */
static void twin_memories(struct heist *heist, unsigned viewer,
                          struct sim_random *random)
{
	struct ability *use = &heist->ability;
	struct places former = { 0 };

	if (use->shown != CARD_NONE && viewer != use->proposal.seat &&
	    viewer != use->proposal.target)
		use->shown = (uint8_t)sim_below(random, CARD_DECK_COUNT);
	for (unsigned i = 0; i < heist->setup.players; i++) {
		if (i + 1 != viewer)
			places_add(&former, use->former[i].cards,
			           use->former[i].count);
	}
	places_shuffle(&former, random);
}

/*
 * The order of the cards that have not come up out of a shuffled stack.  All
 * players saw the cards that went under it; the top card may stay.
 */
static void twin_stack(struct stack *stack, bool keeps_next,
                       struct sim_random *random)
{
	struct places unseen = { 0 };

	if (!stack->is_shuffled)
		return;
	for (unsigned i = keeps_next; i < stack->count; i++) {
		if (!(stack->seen >> stack->cards[i] & 1))
			places_add(&unseen, &stack->cards[i], 1);
	}
	places_shuffle(&unseen, random);
}

bool twin_make(struct scene *twin, const struct scene *original,
               unsigned viewer, struct sim_random *random)
{
	bool keeps_next = sim_percent(random, 50);
	unsigned next = keeps_next ? COMMUNITY_MAX + POCKET_MAX : 0;
	struct heist *heist = &twin->gang.heist;
	struct places hidden;
	struct places kept;

	scene_copy(twin, original);
	twin_sort(heist, viewer, next, &hidden, &kept);
	places_shuffle(&hidden, random);
	twin_lay_out(heist, viewer, keeps_next, random);
	twin_memories(heist, viewer, random);
	twin_stack(&twin->gang.challenges, keeps_next, random);
	twin_stack(&twin->gang.specialists, keeps_next, random);
	return gang_reachable(&twin->gang);
}

struct action twin_action(const struct scene *twin,
                          const struct scene *original, unsigned viewer,
                          struct action action)
{
	uint8_t from[OPTIONS_MAX];
	uint8_t to[OPTIONS_MAX];
	uint8_t *card = &action.args[ARG_CARD];
	const struct heist *heist = &original->gang.heist;

	if (action.verb != VERB_CHOOSE || action.seat == viewer ||
	    *card >= CARD_COUNT || action.seat > heist->setup.players ||
	    !heist->setup.specialist)
		return action;
	unsigned count = choice_options(heist, action.seat, from);
	(void)choice_options(&twin->gang.heist, action.seat, to);
	for (unsigned i = 0; i < count; i++) {
		if (from[i] == *card) {
			*card = to[i];
			return action;
		}
	}
	*card = CARD_JX;
	return action;
}

/* The viewer got other cards; perhaps they were drawn anew since. */
static bool twins_are_dealt(const struct scene *one, const struct scene *other,
                            unsigned viewer)
{
	for (unsigned i = 0; viewer && i < one->events.count; i++) {
		const struct event *a = &one->events.list[i];
		const struct event *b = &other->events.list[i];
		unsigned count = a->public_data[0];
		unsigned at = (viewer - 1) * count;

		if ((a->type == EVENT_CARDS_PASSED ||
		     a->type == EVENT_CARDS_REDEALT) &&
		    memcmp(a->private_data + at, b->private_data + at, count) !=
		            0)
			return true;
	}
	return false;
}

bool twins_are_opened(const struct scene *one, const struct scene *other,
                      unsigned viewer)
{
	const struct heist *a = &one->gang.heist;
	const struct heist *b = &other->gang.heist;
	bool over = a->outcome != OUTCOME_OPEN;

	for (unsigned seat = 1; seat <= a->setup.players; seat++) {
		if ((over || twin_knows(a, viewer, seat)) &&
		    memcmp(&a->pockets[seat - 1], &b->pockets[seat - 1],
		           sizeof(struct pocket)) != 0)
			return true;
	}
	return twins_are_dealt(one, other, viewer) ||
	       a->setup.challenges != b->setup.challenges ||
	       a->setup.specialist != b->setup.specialist ||
	       memcmp(a->community, b->community, sizeof(a->community)) != 0 ||
	       memcmp(a->ability.announcements, b->ability.announcements,
	              sizeof(a->ability.announcements)) != 0 ||
	       (a->ability.choosing >> viewer & 1 &&
	        a->ability.drawn != b->ability.drawn) ||
	       (viewer && a->ability.proposal.target == viewer &&
	        a->ability.shown != b->ability.shown);
}

/* --- what is hidden of a log ---------------------------------------------- */

void random_cards(uint8_t *cards, unsigned count, struct sim_random *random)
{
	for (unsigned i = 0; i < count; i++)
		cards[i] = (uint8_t)sim_below(random, CARD_DECK_COUNT);
}

/* Everybody's cards but the viewer's. */
static void twin_deal(struct event *event, unsigned viewer,
                      struct sim_random *random)
{
	unsigned count = event->public_data[0];

	for (unsigned seat = 1; seat * count <= event->private_len; seat++) {
		if (seat != viewer)
			random_cards(event->private_data + (seat - 1) * count,
			             count, random);
	}
}

/* Exchange the players of a chip's move that Blackout hides. */
static void twin_chip(struct event *event, unsigned players,
                      struct sim_random *random)
{
	event->seat = (uint8_t)player_seat(players, random);
	event->public_data[0] = (uint8_t)player_seat(players, random);
	if (event->type == EVENT_CHIP_TAKEN)
		event->public_data[1] = (uint8_t)sim_below(random, players + 1);
}

/* True while Blackout hides who held the chips of earlier rounds. */
static bool is_blacked_out(const struct heist *heist)
{
	return heist->setup.challenges >> CHALLENGE_BLACKOUT & 1 &&
	       heist->outcome == OUTCOME_OPEN;
}

void twin_event(struct event *event, const struct heist *heist, unsigned viewer,
                struct sim_random *random)
{
	switch (event->type) {
	case EVENT_CARDS_DEALT:
	case EVENT_CARDS_PASSED:
	case EVENT_CARDS_REDEALT:
		twin_deal(event, viewer, random);
		return;
	case EVENT_CARDS_REDRAWN:
		if (event->seat != viewer)
			random_cards(event->private_data, event->private_len,
			             random);
		return;
	case EVENT_CHOICE_MADE:
		if (event->private_len && event->seat != viewer &&
		    (!viewer || event->private_data[1] != viewer))
			random_cards(event->private_data, 1, random);
		return;
	case EVENT_CHIP_TAKEN:
	case EVENT_CHIP_RETURNED:
		if (is_blacked_out(heist) && event->part == heist->setup.deal &&
		    event->subpart < heist->round)
			twin_chip(event, heist->setup.players, random);
	}
	assert_int_equal(event->private_len, 0);
}

/* --- what was met --------------------------------------------------------- */

enum phase twin_phase(const struct heist *heist)
{
	if (heist->outcome != OUTCOME_OPEN)
		return PHASE_OVER;
	if (heist_is_asking(heist))
		return PHASE_ANSWERING;
	return heist->ability.choosing ? PHASE_CHOOSING : PHASE_CHIPS;
}

void twin_tally_pair(struct twin_tally *tally, const struct scene *scene,
                     unsigned viewer)
{
	const struct heist *heist = &scene->gang.heist;
	const struct ability *use = &heist->ability;
	unsigned over = heist->outcome == OUTCOME_OPEN ? 0 : 1;

	tally->viewers[scene->table.seats][viewer]++;
	tally->phases[scene->table.status][heist->round + over]++;
	tally->modes[scene->gang.mode][twin_phase(heist)]++;
	tally->blackouts += is_blacked_out(heist) && heist->round > 2;
	if (heist->confirmed && twin_phase(heist) == PHASE_CHIPS)
		tally->confirmed[heist->confirmed >> viewer & 1]++;
	tally->specialists[use->specialist][use->state]
			  [use->choosing >> viewer & 1]++;
	for (unsigned i = 1; i <= CHALLENGE_MAX; i++)
		tally->challenges[i] += heist->setup.challenges >> i & 1;
}

/* Each card; of a specialist who has to be chosen for, both sides. */
static void check_cards(const struct twin_tally *tally)
{
	for (unsigned i = 1; i <= CHALLENGE_MAX; i++)
		assert_int_not_equal(tally->challenges[i], 0);
	for (unsigned i = 1; i <= SPECIALIST_MAX; i++) {
		assert_int_not_equal(tally->specialists[i][ABILITY_USED][0], 0);
		if (gang_specialist_get(i)->choosers == CHOOSER_NOBODY)
			continue;
		assert_int_not_equal(tally->specialists[i][ABILITY_CHOOSING][0],
		                     0);
		assert_int_not_equal(tally->specialists[i][ABILITY_CHOOSING][1],
		                     0);
	}
}

void twin_tally_check(const struct twin_tally *tally)
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
	for (unsigned mode = 1; mode <= GANG_MODE_MASTER_THIEF; mode++) {
		assert_int_not_equal(tally->modes[mode][PHASE_CHIPS], 0);
		assert_int_not_equal(tally->modes[mode][PHASE_OVER], 0);
		if (mode != GANG_MODE_BASIC)
			assert_int_not_equal(
				tally->modes[mode][PHASE_ANSWERING], 0);
	}
	assert_int_not_equal(tally->blackouts, 0);
	assert_int_not_equal(tally->confirmed[0], 0);
	assert_int_not_equal(tally->confirmed[1], 0);
	check_cards(tally);
}
