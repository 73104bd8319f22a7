#include "gang/heist.h"

#include <assert.h>
#include <string.h>

#include "gang/challenge.h"

enum { ROUNDS = 4, FLOP_CARDS = 3 };

static unsigned round_of(unsigned color)
{
	return color + 1;
}

static enum color color_of(const struct heist *heist)
{
	return (enum color)(heist->round - 1);
}

bool heist_has_chips(const struct heist *heist, enum color color)
{
	return round_of(color) <= heist->round &&
	       !challenges_skip_round(heist->challenges, round_of(color));
}

/* --- dealing ------------------------------------------------------------- */

static uint8_t draw(struct heist *heist)
{
	assert(heist->deck_count > 0);
	return heist->deck[--heist->deck_count];
}

static struct event *add(struct events *events, const struct heist *heist,
                         unsigned type, unsigned seat)
{
	struct event *event = events_add(events, type, seat);

	event->heist = heist->number;
	return event;
}

static struct event *add_colored(struct events *events,
                                 const struct heist *heist, unsigned type,
                                 unsigned seat)
{
	struct event *event = add(events, heist, type, seat);

	event->color = heist->round;
	return event;
}

static void deal_pockets(struct heist *heist, struct events *events)
{
	unsigned cards = challenges_pocket_cards(heist->challenges);
	struct event *event = add(events, heist, EVENT_CARDS_DEALT, 0);

	event_open(event, cards);
	for (unsigned i = 0; i < heist->players; i++) {
		struct pocket *pocket = &heist->pockets[i];
		while (pocket->count < cards) {
			uint8_t card = draw(heist);
			pocket->cards[pocket->count++] = card;
			event_secret(event, card);
		}
	}
}

/* The community cards that lie open in a round: none, then 3, 4 and 5. */
static unsigned community_of(unsigned round)
{
	return round < 2 ? 0 : FLOP_CARDS + round - 2;
}

/*
 * Go on to the next round that has chips.  A round without chips still opens
 * its cards, which are then told together with those of the next one.
 */
static void start_round(struct heist *heist, struct events *events)
{
	unsigned known = heist->community_count;

	do {
		heist->round++;
		assert(heist->round <= ROUNDS);
		while (heist->community_count < community_of(heist->round))
			heist->community[heist->community_count++] =
				draw(heist);
	} while (!heist_has_chips(heist, color_of(heist)));

	chips_deal(&heist->chips[color_of(heist)], heist->players);
	struct event *event =
		add_colored(events, heist, EVENT_ROUND_STARTED, 0);
	event_open(event, heist->round);
	for (unsigned i = known; i < heist->community_count; i++)
		event_open(event, heist->community[i]);
}

void heist_start(struct heist *heist, unsigned number, unsigned players,
                 uint16_t challenges, struct chance *chance,
                 struct events *events)
{
	assert(players >= 1 && players <= HEIST_PLAYERS_MAX);
	assert(challenges_exist(challenges));

	*heist = (struct heist){
		.number = (uint8_t)number,
		.players = (uint8_t)players,
		.challenges = challenges,
		.deck_count = CARD_DECK_COUNT,
	};
	for (unsigned card = 0; card < CARD_DECK_COUNT; card++)
		heist->deck[card] = (uint8_t)card;
	chance_shuffle(chance, heist->deck, heist->deck_count);

	struct event *event = add(events, heist, EVENT_HEIST_STARTED, 0);
	event_open(event, number);
	event_open(event, challenges >> 8);
	event_open(event, challenges & 0xff);
	deal_pockets(heist, events);
	start_round(heist, events);
	assert(heist_valid(heist));
}

/* --- the showdown -------------------------------------------------------- */

struct hand heist_hand(const uint8_t *community, unsigned count,
                       const struct pocket *pocket)
{
	uint8_t cards[HEIST_COMMUNITY_MAX + HEIST_POCKET_MAX];

	memcpy(cards, pocket->cards, pocket->count);
	memcpy(cards + pocket->count, community, count);
	return hand_of(cards, pocket->count + count);
}

void heist_record(const struct heist *heist, struct record *record)
{
	*record = (struct record){
		.number = heist->number,
		.players = heist->players,
		.outcome = heist->outcome,
		.challenges = heist->challenges,
		.red = heist->chips[COLOR_RED],
	};
	memcpy(record->community, heist->community, HEIST_COMMUNITY_MAX);
	memcpy(record->pockets, heist->pockets, sizeof(record->pockets));
}

void record_showdown(const struct record *record, struct showdown *showdown)
{
	uint32_t strongest = 0;

	*showdown = (struct showdown){ .count = record->players };
	for (unsigned stars = 1; stars <= record->players; stars++) {
		struct reveal *reveal = &showdown->reveals[stars - 1];
		unsigned seat = chips_holder(&record->red, stars);
		reveal->seat = (uint8_t)seat;
		reveal->stars = (uint8_t)stars;
		reveal->pocket = record->pockets[seat - 1];
		reveal->hand = heist_hand(record->community,
		                          HEIST_COMMUNITY_MAX, &reveal->pocket);
		reveal->in_order = reveal->hand.value >= strongest;
		if (reveal->in_order)
			strongest = reveal->hand.value;
	}
}

static void tell_reveal(struct events *events, const struct heist *heist,
                        const struct reveal *reveal)
{
	struct event *event =
		add_colored(events, heist, EVENT_HAND_REVEALED, reveal->seat);

	event_open(event, reveal->stars);
	event_open(event, reveal->in_order);
	event_open(event, reveal->hand.ranking);
	event_open(event, reveal->pocket.count);
	for (unsigned i = 0; i < reveal->pocket.count; i++)
		event_open(event, reveal->pocket.cards[i]);
	for (unsigned i = 0; i < reveal->hand.best_count; i++)
		event_open(event, reveal->hand.best[i]);
}

static void hold_showdown(struct heist *heist, struct events *events)
{
	struct record record;
	struct showdown showdown;
	bool in_order = true;

	heist_record(heist, &record);
	record_showdown(&record, &showdown);
	for (unsigned i = 0; i < showdown.count; i++) {
		tell_reveal(events, heist, &showdown.reveals[i]);
		in_order = in_order && showdown.reveals[i].in_order;
	}
	heist->outcome = in_order ? OUTCOME_SUCCEEDED : OUTCOME_FAILED;
}

/* --- chips --------------------------------------------------------------- */

static bool card_locks(const struct heist *heist, unsigned color,
                       unsigned stars)
{
	struct challenge_chip chip = {
		.color = color,
		.stars = stars,
		.players = heist->players,
	};

	return challenges_lock_chip(heist->challenges, chip);
}

/* True if a card keeps this chip with the seat that holds it. */
static bool is_held_fast(const struct heist *heist, unsigned color,
                         unsigned stars)
{
	return stars &&
	       chips_holder(&heist->chips[color], stars) != CHIPS_CENTER &&
	       card_locks(heist, color, stars);
}

bool heist_chip_is_locked(const struct heist *heist, enum color color,
                          unsigned stars)
{
	if (chips_holder(&heist->chips[color], stars) == CHIPS_CENTER)
		return false;
	return heist->outcome != OUTCOME_OPEN || color != color_of(heist) ||
	       is_held_fast(heist, color, stars);
}

static enum err check_move(const struct heist *heist, struct chip_move move)
{
	/* An action may come from a log that somebody damaged. */
	if (move.color >= COLOR_COUNT)
		return ERR_NO_SUCH_CHIP;
	if (move.seat < 1 || move.seat > heist->players)
		return ERR_NO_SUCH_SEAT;
	if (heist->outcome != OUTCOME_OPEN)
		return ERR_HEIST_OVER;
	if (move.stars < 1 || move.stars > heist->players)
		return ERR_NO_SUCH_CHIP;
	if (round_of(move.color) < heist->round ||
	    challenges_skip_round(heist->challenges, round_of(move.color)))
		return ERR_ROUND_OVER;
	if (round_of(move.color) > heist->round)
		return ERR_NOT_ALLOWED_NOW;
	return ERR_OK;
}

enum err heist_check_take(const struct heist *heist, struct chip_move move)
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

enum err heist_check_return(const struct heist *heist, struct chip_move move)
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

static void end_round(struct heist *heist, struct events *events)
{
	struct event *event = add_colored(events, heist, EVENT_ROUND_ENDED, 0);

	event_open(event, heist->round);
	if (heist->round < ROUNDS)
		start_round(heist, events);
	else
		hold_showdown(heist, events);
}

static void tell_return(struct events *events, const struct heist *heist,
                        unsigned seat, unsigned stars)
{
	struct event *event =
		add_colored(events, heist, EVENT_CHIP_RETURNED, seat);

	event_open(event, stars);
}

enum err heist_take(struct heist *heist, struct chip_move move,
                    struct events *events)
{
	enum err err = heist_check_take(heist, move);
	if (err)
		return err;

	/* The held chip goes back first: at no event does anybody hold two. */
	struct chips *chips = &heist->chips[move.color];
	unsigned held = chips_held(chips, move.seat);
	if (held)
		tell_return(events, heist, move.seat, held);
	struct event *event =
		add_colored(events, heist, EVENT_CHIP_TAKEN, move.seat);
	event_open(event, move.stars);
	event_open(event, chips_holder(chips, move.stars));
	chips_give(chips, move.stars, move.seat);
	if (chips_settled(chips))
		end_round(heist, events);

	assert(heist_valid(heist));
	return ERR_OK;
}

enum err heist_return(struct heist *heist, struct chip_move move,
                      struct events *events)
{
	enum err err = heist_check_return(heist, move);
	if (err)
		return err;

	tell_return(events, heist, move.seat, move.stars);
	chips_put_back(&heist->chips[move.color], move.stars);

	assert(heist_valid(heist));
	return ERR_OK;
}

unsigned heist_waiting_for(const struct heist *heist)
{
	unsigned seats = 0;

	if (heist->outcome != OUTCOME_OPEN)
		return 0;
	for (unsigned seat = 1; seat <= heist->players; seat++) {
		if (!chips_held(&heist->chips[color_of(heist)], seat))
			seats |= 1U << seat;
	}
	return seats;
}

/* --- what must always hold ----------------------------------------------- */

static bool count_cards(const uint8_t *cards, unsigned count, uint64_t *seen)
{
	for (unsigned i = 0; i < count; i++) {
		if (cards[i] >= CARD_DECK_COUNT || (*seen >> cards[i] & 1))
			return false;
		*seen |= (uint64_t)1 << cards[i];
	}
	return true;
}

static bool count_pockets(const struct pocket *pockets, unsigned players,
                          uint16_t challenges, uint64_t *seen)
{
	unsigned count = challenges_pocket_cards(challenges);

	for (unsigned i = 0; i < players; i++) {
		if (pockets[i].count != count ||
		    !count_cards(pockets[i].cards, pockets[i].count, seen))
			return false;
	}
	return true;
}

static bool cards_valid(const struct heist *heist)
{
	uint64_t seen = 0;

	return count_pockets(heist->pockets, heist->players, heist->challenges,
	                     &seen) &&
	       count_cards(heist->community, heist->community_count, &seen) &&
	       count_cards(heist->deck, heist->deck_count, &seen) &&
	       count_cards(heist->discards, heist->discards_count, &seen) &&
	       seen == ((uint64_t)1 << CARD_DECK_COUNT) - 1;
}

static bool color_valid(const struct heist *heist, enum color color)
{
	const struct chips *chips = &heist->chips[color];
	bool ended = round_of(color) < heist->round ||
	             heist->outcome != OUTCOME_OPEN;

	if (!heist_has_chips(heist, color))
		return chips->count == 0;
	return chips->count == heist->players && chips_valid(chips) &&
	       chips_settled(chips) == ended;
}

bool record_valid(const struct record *record)
{
	uint64_t seen = 0;

	return record->players >= 1 && record->players <= HEIST_PLAYERS_MAX &&
	       (record->outcome == OUTCOME_SUCCEEDED ||
	        record->outcome == OUTCOME_FAILED) &&
	       challenges_exist(record->challenges) &&
	       record->red.count == record->players &&
	       chips_valid(&record->red) && chips_settled(&record->red) &&
	       count_pockets(record->pockets, record->players,
	                     record->challenges, &seen) &&
	       count_cards(record->community, HEIST_COMMUNITY_MAX, &seen);
}

bool heist_valid(const struct heist *heist)
{
	if (heist->players < 1 || heist->players > HEIST_PLAYERS_MAX)
		return false;
	if (heist->round < 1 || heist->round > ROUNDS)
		return false;
	if (heist->outcome > OUTCOME_FAILED ||
	    (heist->outcome != OUTCOME_OPEN && heist->round != ROUNDS))
		return false;
	if (!challenges_exist(heist->challenges) ||
	    !heist_has_chips(heist, color_of(heist)))
		return false;
	if (heist->community_count != community_of(heist->round))
		return false;
	for (unsigned color = 0; color < COLOR_COUNT; color++) {
		if (!color_valid(heist, (enum color)color))
			return false;
	}
	return cards_valid(heist);
}
