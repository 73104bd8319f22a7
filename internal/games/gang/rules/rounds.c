/*
 * The rounds of a heist.  A round opens its community cards and lays out the
 * chips of its colour.  It ends as soon as every seat holds one of them; then
 * the next round begins in the same action, or the showdown after the red
 * chips. So between two actions some chip of the present round lies in the
 * centre, unless a private choice is due or the showdown waits for answers.
 *
 * If rounds are confirmed, a round with all chips taken goes on until every
 * player has confirmed: the set of confirmations belongs to the chips and the
 * cards as they are, so a moved chip and a used specialist empty it.  A vacant
 * seat has not confirmed, and nobody waits for it.
 *
 * A round without chips only opens its cards.  Chips of earlier rounds stay
 * with their holders, unless a challenge hides them: then they are removed.
 */
#include "games/gang/rules/rounds.h"

#include <assert.h>

#include "games/gang/rules/ability.h"
#include "games/gang/rules/challenge.h"
#include "games/gang/rules/choice.h"
#include "games/gang/rules/deal.h"
#include "games/gang/rules/showdown.h"
#include "games/gang/rules/specialist.h"

enum { FLOP_ROUND = 2 };

static unsigned round_of(unsigned color)
{
	return color + 1;
}

/* The colour of the present round. */
static enum color color_of(const struct heist *heist)
{
	return (enum color)(heist->round - 1);
}

/* True if the colour has, or had, chips in this heist. */
static bool has_chips(const struct heist *heist, enum color color)
{
	return round_of(color) <= heist->round &&
	       !challenges_skip_round(heist->setup.challenges, round_of(color));
}

/* True if its chips are in the state: hidden ones are removed. */
static bool shows_chips(const struct heist *heist, enum color color)
{
	return has_chips(heist, color) &&
	       (color == color_of(heist) ||
	        !challenges_hide_chips(heist->setup.challenges));
}

/* --- rounds --------------------------------------------------------------- */

/* The event of a heist without specialist and permanent cards is shorter. */
static void emit_start(const struct heist *heist, struct events *events)
{
	const struct heist_setup *setup = &heist->setup;
	struct event *event = heist_emit(heist, EVENT_HEIST_STARTED, 0, events);

	event_put_public(event, setup->number);
	event_put_public(event, setup->challenges >> 8);
	event_put_public(event, setup->challenges & 0xff);
	if (!setup->permanent && !setup->specialist)
		return;
	event_put_public(event, setup->permanent >> 8);
	event_put_public(event, setup->permanent & 0xff);
	event_put_public(event, setup->specialist);
}

/* The number of community cards in a round: 0, then 3, 4 and 5. */
static unsigned community_of(unsigned round)
{
	return round < FLOP_ROUND ? 0 : FLOP_CARDS + round - FLOP_ROUND;
}

/* The flop was revealed: let challenges make seats draw new pocket cards. */
static void redraw(struct heist *heist, struct events *events)
{
	uint16_t active = heist->setup.challenges;
	unsigned number = challenges_next(active, 0);

	for (; number; number = challenges_next(active, number)) {
		const struct challenge *row = gang_challenge_get(number);
		unsigned seat = 0;

		if (row->redraws)
			seat = row->redraws(heist->community,
			                    &heist->chips[COLOR_WHITE]);
		if (seat)
			deal_redraw_pocket(heist, seat, number, events);
	}
}

static void put_chips_away(struct heist *heist)
{
	if (!challenges_hide_chips(heist->setup.challenges))
		return;
	for (unsigned color = 0; color < color_of(heist); color++)
		heist->chips[color] = (struct chips){ 0 };
}

/*
 * Start the next round that has chips.  Its event shows the cards of a skipped
 * round too.
 */
static void start_round(struct heist *heist, struct events *events)
{
	unsigned known = heist->community_count;

	do {
		heist->round++;
		assert(heist->round <= HEIST_ROUNDS);
		deal_community(heist, community_of(heist->round));
	} while (!has_chips(heist, color_of(heist)));

	heist->confirmed = 0;
	chips_deal(&heist->chips[color_of(heist)], heist->setup.players);
	struct event *event =
		heist_emit_round(heist, EVENT_ROUND_STARTED, 0, events);
	event_put_public(event, heist->round);
	for (unsigned i = known; i < heist->community_count; i++)
		event_put_public(event, heist->community[i]);
	if (known < FLOP_CARDS && heist->community_count >= FLOP_CARDS)
		redraw(heist, events);
	put_chips_away(heist);
}

void rounds_start(struct heist *heist, const struct heist_setup *setup,
                  struct rng *rng, struct events *events)
{
	assert(setup->players >= 1 && setup->players <= HEIST_PLAYERS_MAX);
	assert(challenges_exist(setup->challenges));
	assert(!(setup->permanent & ~setup->challenges));

	assert(!setup->specialist || specialist_exists(setup->specialist));
	heist_init(heist, setup);
	emit_start(heist, events);
	deal_pockets(heist, rng, events);
	ability_begin(heist, events);
	start_round(heist, events);
	assert(rounds_valid(heist));
}

/* The players who have not confirmed the end of the round. */
static unsigned unconfirmed(const struct heist *heist)
{
	return heist_voters(heist) & ~(unsigned)heist->confirmed;
}

/* True if no player has to confirm any more; false without any player. */
static bool is_confirmed(const struct heist *heist)
{
	return !heist->setup.confirms ||
	       (heist_voters(heist) && !unconfirmed(heist));
}

/*
 * End the round if every seat holds a chip, and has confirmed where that is
 * needed.  Under rules version 1 a choice could be due with all chips taken;
 * there the last choice ends the round.
 */
static void settle_round(struct heist *heist, struct events *events)
{
	if (!chips_settled(&heist->chips[color_of(heist)]) ||
	    heist->ability.choosing || !is_confirmed(heist))
		return;

	struct event *event =
		heist_emit_round(heist, EVENT_ROUND_ENDED, 0, events);
	event_put_public(event, heist->round);
	if (heist->round < HEIST_ROUNDS) {
		start_round(heist, events);
	} else {
		if (heist->setup.confirms)
			heist->confirmed = (uint8_t)heist_seats(heist);
		ability_expire(heist, events);
		showdown_begin(heist, events);
	}
}

/* --- chips ---------------------------------------------------------------- */

bool rounds_chip_is_dark(const struct heist *heist, enum color color,
                         unsigned stars)
{
	struct challenge_chip chip = {
		.color = color,
		.stars = stars,
		.players = heist->setup.players,
	};

	return challenges_lock_chip(heist->setup.challenges, chip);
}

/* True if a card keeps this chip with the seat that holds it. */
static bool is_held_fast(const struct heist *heist, unsigned color,
                         unsigned stars)
{
	return stars &&
	       chips_holder(&heist->chips[color], stars) != CHIPS_CENTER &&
	       rounds_chip_is_dark(heist, (enum color)color, stars);
}

bool rounds_chip_is_locked(const struct heist *heist, enum color color,
                           unsigned stars)
{
	if (chips_holder(&heist->chips[color], stars) == CHIPS_CENTER)
		return false;
	return heist->outcome != OUTCOME_OPEN || color != color_of(heist) ||
	       heist_is_asking(heist) || is_held_fast(heist, color, stars);
}

static enum err check_move(const struct heist *heist, struct chip_move move)
{
	/* An action may come from a log that somebody damaged. */
	if (move.color >= COLOR_COUNT)
		return ERR_NO_SUCH_CHIP;
	if (heist->outcome != OUTCOME_OPEN)
		return ERR_HEIST_OVER;
	if (move.stars < 1 || move.stars > heist->setup.players)
		return ERR_NO_SUCH_CHIP;
	if (round_of(move.color) < heist->round || heist_is_asking(heist) ||
	    challenges_skip_round(heist->setup.challenges,
	                          round_of(move.color)))
		return ERR_ROUND_OVER;
	if (round_of(move.color) > heist->round)
		return ERR_NOT_ALLOWED_NOW;
	/* A chip rates the cards that its holder has after the choices. */
	if (heist->ability.choosing)
		return ERR_CHOICE_DUE;
	return ERR_OK;
}

enum err rounds_check_take(const struct heist *heist, struct chip_move move)
{
	enum err err = check_move(heist, move);
	if (err)
		return err;

	const struct chips *chips = &heist->chips[move.color];
	unsigned holder = chips_holder(chips, move.stars);
	if (holder == move.seat)
		return ERR_CHIP_ALREADY_HELD;
	if (move.from != CHIP_FROM_ANYWHERE && move.from != holder)
		return ERR_CHIP_MOVED;
	if (is_held_fast(heist, move.color, move.stars) ||
	    is_held_fast(heist, move.color, chips_held(chips, move.seat)))
		return ERR_CHIP_LOCKED;
	return ERR_OK;
}

enum err rounds_check_return(const struct heist *heist, struct chip_move move)
{
	enum err err = check_move(heist, move);
	if (err)
		return err;

	if (chips_holder(&heist->chips[move.color], move.stars) != move.seat)
		return ERR_CHIP_NOT_HELD;
	if (is_held_fast(heist, move.color, move.stars))
		return ERR_CHIP_LOCKED;
	return ERR_OK;
}

static void emit_return(const struct heist *heist, unsigned seat,
                        unsigned stars, struct events *events)
{
	struct event *event =
		heist_emit_round(heist, EVENT_CHIP_RETURNED, seat, events);

	event_put_public(event, stars);
}

void rounds_take(struct heist *heist, struct chip_move move,
                 struct events *events)
{
	struct chips *chips = &heist->chips[move.color];
	unsigned held = chips_held(chips, move.seat);

	/* The held chip goes back first: at no event does anybody hold two. */
	if (held)
		emit_return(heist, move.seat, held, events);
	struct event *event =
		heist_emit_round(heist, EVENT_CHIP_TAKEN, move.seat, events);
	event_put_public(event, move.stars);
	event_put_public(event, chips_holder(chips, move.stars));
	chips_give(chips, move.stars, move.seat);
	heist->confirmed = 0;
	settle_round(heist, events);
}

void rounds_return(struct heist *heist, struct chip_move move,
                   struct events *events)
{
	emit_return(heist, move.seat, move.stars, events);
	chips_put_back(&heist->chips[move.color], move.stars);
	heist->confirmed = 0;
}

/* --- the end of a round --------------------------------------------------- */

enum err rounds_check_confirm(const struct heist *heist, unsigned seat)
{
	if (!heist->setup.confirms)
		return ERR_ROUND_ENDS_AT_ONCE;
	if (heist->outcome != OUTCOME_OPEN)
		return ERR_HEIST_OVER;
	if (heist_is_asking(heist))
		return ERR_ROUND_OVER;
	/* The choice may change the cards that a chip rates. */
	if (heist->ability.choosing)
		return ERR_CHOICE_DUE;
	if (!chips_settled(&heist->chips[color_of(heist)]))
		return ERR_CHIPS_NOT_HELD;
	return heist->confirmed >> seat & 1 ? ERR_ALREADY_CONFIRMED : ERR_OK;
}

void rounds_confirm(struct heist *heist, unsigned seat, struct events *events)
{
	struct event *event =
		heist_emit_round(heist, EVENT_ROUND_CONFIRMED, seat, events);

	event_put_public(event, heist->round);
	heist->confirmed |= (uint8_t)(1U << seat);
	settle_round(heist, events);
}

void rounds_choose(struct heist *heist, unsigned seat, unsigned card,
                   struct rng *rng, struct events *events)
{
	choice_make(heist, seat, card, rng, events);
	settle_round(heist, events);
}

void rounds_vacate(struct heist *heist, unsigned seat, struct events *events)
{
	heist->setup.vacant |= (uint8_t)(1U << seat);
	if (heist_has_showdown(heist)) {
		showdown_vacate(heist, seat, events);
		return;
	}
	/* The next player of the seat has confirmed nothing. */
	heist->confirmed &= (uint8_t) ~(1U << seat);
	ability_vacate(heist, seat, events);
	if (heist->setup.confirms && heist->outcome == OUTCOME_OPEN)
		settle_round(heist, events);
}

unsigned rounds_waiting_for(const struct heist *heist)
{
	unsigned seats = 0;

	if (heist->outcome != OUTCOME_OPEN)
		return 0;
	if (heist_is_asking(heist))
		return showdown_waiting_for(heist);
	/* No chip moves before the choices are made. */
	if (heist->ability.choosing)
		return heist->ability.choosing;
	for (unsigned seat = 1; seat <= heist->setup.players; seat++) {
		if (!chips_held(&heist->chips[color_of(heist)], seat))
			seats |= 1U << seat;
	}
	if (!seats && heist->setup.confirms)
		seats = unconfirmed(heist);
	return seats | ability_waiting_for(heist);
}

/* --- invariants ----------------------------------------------------------- */

static bool setup_valid(const struct heist_setup *setup)
{
	return !(setup->permanent & ~setup->challenges) &&
	       !(setup->vacant & ~((1U << (setup->players + 1)) - 2));
}

/* A colour in play has one chip for each player; any other has no chip. */
static bool color_valid(const struct heist *heist, enum color color)
{
	const struct chips *chips = &heist->chips[color];
	unsigned count = shows_chips(heist, color) ? heist->setup.players : 0;

	return chips->count == count && chips_valid(chips);
}

/* Confirmations are of seats that all hold a chip, and of no open choice. */
static bool confirmed_valid(const struct heist *heist)
{
	return !heist->confirmed ||
	       (heist->setup.confirms && !heist->ability.choosing &&
	        !(heist->confirmed & ~heist_seats(heist)) &&
	        chips_settled(&heist->chips[color_of(heist)]));
}

/* A heist that ended with a showdown has settled red chips. */
static bool outcome_valid(const struct heist *heist)
{
	if (heist->outcome == OUTCOME_OPEN)
		return true;
	return heist->outcome <= OUTCOME_FAILED &&
	       heist->round == HEIST_ROUNDS &&
	       chips_settled(&heist->chips[COLOR_RED]);
}

bool rounds_valid(const struct heist *heist)
{
	if (!setup_valid(&heist->setup) || heist->round < 1 ||
	    heist->round > HEIST_ROUNDS)
		return false;
	/* An abandoned heist has nothing else. */
	if (heist->outcome == OUTCOME_ABANDONED)
		return true;
	for (unsigned color = 0; color < COLOR_COUNT; color++) {
		if (!color_valid(heist, (enum color)color))
			return false;
	}
	return outcome_valid(heist) && confirmed_valid(heist) &&
	       heist->community_count == community_of(heist->round) &&
	       deal_valid(heist, ability_brings_jack(heist)) &&
	       ability_valid(heist);
}
