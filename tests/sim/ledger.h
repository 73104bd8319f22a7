/*
 * ledger.h - a heist, written down from its events alone.
 *
 * Who follows the log of a game, with the secret parts of it, knows who holds
 * which chip and card, what was answered, and so what has to come next: who
 * draws anew, what is announced, how the heist ends.  All of that is told here
 * a second time, and what the state says must be the same.
 */
#ifndef TESTS_SIM_LEDGER_H
#define TESTS_SIM_LEDGER_H

#include "judge.h"

struct ledger {
	unsigned players;
	unsigned vacant; /* seats that somebody left */
	bool abandoned;  /* somebody was removed: there is nothing left */
	unsigned challenges;
	unsigned specialist;
	unsigned round;
	unsigned community_count;
	uint8_t community[COMMUNITY_MAX];
	uint8_t chips[COLOR_COUNT][CHIPS_MAX + 1]; /* a seat, by stars */
	struct pocket pockets[HEIST_PLAYERS_MAX + 1];
	unsigned redraw_by; /* the challenge that wants one next; 0: none */
	unsigned redraw_seat;
	unsigned announced; /* uses of the specialist */
	struct announcement announcements[HEIST_PLAYERS_MAX];
	bool is_proposed;
	unsigned agreed;   /* seats that agree to what is proposed */
	unsigned choosing; /* seats that owe a private choice */
	unsigned shown_by; /* and the card, to whom */
	unsigned shown_to;
	unsigned shown;
	struct pocket former[HEIST_PLAYERS_MAX + 1];
	unsigned muscle;                         /* whose hand it strengthens */
	uint8_t laid_out[HEIST_PLAYERS_MAX + 1]; /* for Coordinator */
	uint8_t answers[CHALLENGE_MAX + 1][HEIST_PLAYERS_MAX + 1];
	uint8_t settled[CHALLENGE_MAX + 1];
	bool right[CHALLENGE_MAX + 1];
	unsigned revealed;
	bool all_in_order;
	uint64_t strongest;

	/* What was met, for who counts. */
	unsigned redrawn;  /* challenges that made somebody draw, a set */
	bool jack_redrawn; /* with Jx among the cards that went */
};

static inline bool ledger_has(const struct ledger *ledger, unsigned challenge)
{
	return ledger->challenges >> challenge & 1;
}

static inline unsigned lowest_seat(unsigned seats)
{
	unsigned seat = 1;

	while (!(seats >> seat & 1))
		seat++;
	return seat;
}

/* The seats at which somebody sits. */
static inline unsigned ledger_voters(const struct ledger *ledger)
{
	return ((2U << ledger->players) - 2) & ~ledger->vacant;
}

/* --- cards ---------------------------------------------------------------- */

static inline uint64_t set_of_pocket(const struct pocket *pocket)
{
	uint64_t set = 0;

	for (unsigned i = 0; i < pocket->count; i++) {
		CHECK(pocket->cards[i] < CARD_COUNT);
		set |= UINT64_C(1) << pocket->cards[i];
	}
	return set;
}

static inline bool is_face(unsigned card)
{
	return card_text((uint8_t)card)[0] == 'J' ||
	       card_text((uint8_t)card)[0] == 'Q' ||
	       card_text((uint8_t)card)[0] == 'K';
}

static inline unsigned worth_of(unsigned card)
{
	char rank = card_text((uint8_t)card)[0];

	if (rank == 'A')
		return 11;
	return rank >= '2' && rank <= '9' ? (unsigned)(rank - '0') : 10;
}

static inline void ledger_exchange(struct pocket *pocket, unsigned goes,
                                   unsigned comes)
{
	unsigned at = 0;

	while (at < pocket->count && pocket->cards[at] != goes)
		at++;
	CHECK(at < pocket->count);
	pocket->cards[at] = (uint8_t)comes;
}

/* Everybody's cards, out of the secret part of an event. */
static inline void ledger_deal(struct ledger *ledger, const struct event *event)
{
	unsigned count = ledger_has(ledger, CHALLENGE_SECURITY_CAMERAS) ? 3 : 2;

	CHECK(event->public_len == 1 && event->public_data[0] == count);
	CHECK(event->private_len == count * ledger->players);
	for (unsigned seat = 1; seat <= ledger->players; seat++) {
		ledger->pockets[seat].count = (uint8_t)count;
		memcpy(ledger->pockets[seat].cards,
		       event->private_data + (seat - 1) * count, count);
	}
}

static inline uint64_t ledger_cards(const struct ledger *ledger)
{
	uint64_t set = 0;

	for (unsigned seat = 1; seat <= ledger->players; seat++)
		set |= set_of_pocket(&ledger->pockets[seat]);
	return set;
}

/* All pocket cards, and only those, are dealt again. */
static inline void ledger_redeal(struct ledger *ledger,
                                 const struct event *event)
{
	uint64_t before = ledger_cards(ledger);

	memcpy(ledger->former, ledger->pockets, sizeof(ledger->former));
	ledger_deal(ledger, event);
	CHECK(ledger_cards(ledger) == before);
}

/* Each has the card of the seat before, and the others as they were. */
static inline void ledger_pass(struct ledger *ledger, const struct event *event)
{
	struct ledger old = *ledger;

	ledger_deal(ledger, event);
	for (unsigned seat = 1; seat <= ledger->players; seat++) {
		unsigned right = seat == 1 ? ledger->players : seat - 1;
		struct pocket expected = old.pockets[seat];

		ledger_exchange(&expected, old.laid_out[seat],
		                old.laid_out[right]);
		CHECK(set_of_pocket(&expected) ==
		      set_of_pocket(&ledger->pockets[seat]));
	}
}

static inline void ledger_redraw(struct ledger *ledger,
                                 const struct event *event)
{
	struct pocket *pocket = &ledger->pockets[event->seat];

	CHECK(event->public_data[0] == ledger->redraw_by);
	CHECK(event->seat == ledger->redraw_seat);
	CHECK(event->public_data[1] == pocket->count);
	CHECK(event->private_len == pocket->count);
	ledger->redrawn |= 1U << ledger->redraw_by;
	ledger->redraw_by = 0;
	if (set_of_pocket(pocket) >> CARD_JX & 1)
		ledger->jack_redrawn = true;
	memcpy(pocket->cards, event->private_data, pocket->count);
}

/* --- rounds and chips ----------------------------------------------------- */

/* The flop lies open: who has to draw anew? */
static inline void ledger_flop(struct ledger *ledger)
{
	bool faces = false;
	unsigned number = 0;

	if (ledger_has(ledger, CHALLENGE_QUICK_ACCESS))
		return;
	for (unsigned i = 0; i < 3; i++)
		faces = faces || is_face(ledger->community[i]);
	if (faces && ledger_has(ledger, CHALLENGE_MOTION_DETECTOR))
		number = CHALLENGE_MOTION_DETECTOR;
	if (!faces && ledger_has(ledger, CHALLENGE_LASER_TRIPWIRES))
		number = CHALLENGE_LASER_TRIPWIRES;
	ledger->redraw_by = number;
	ledger->redraw_seat =
		ledger->chips[COLOR_WHITE][number == CHALLENGE_MOTION_DETECTOR
	                                           ? 1
	                                           : ledger->players];
}

static inline void ledger_round(struct ledger *ledger,
                                const struct event *event)
{
	static const uint8_t open[] = { 0, 0, 3, 4, 5 };
	unsigned before = ledger->community_count;

	ledger->round++;
	if ((ledger->round == 1 &&
	     ledger_has(ledger, CHALLENGE_QUICK_ACCESS)) ||
	    (ledger->round == 3 && ledger_has(ledger, CHALLENGE_HASTY_GETAWAY)))
		ledger->round++;
	CHECK(ledger->round <= 4 && event->public_data[0] == ledger->round);
	CHECK(event->color == ledger->round);
	CHECK(event->public_len == 1U + open[ledger->round] - before);
	for (unsigned i = 1; i < event->public_len; i++)
		ledger->community[ledger->community_count++] =
			event->public_data[i];
	if (before < 3 && ledger->community_count >= 3)
		ledger_flop(ledger);
}

static inline bool ledger_is_settled(const struct ledger *ledger)
{
	for (unsigned stars = 1; stars <= ledger->players; stars++) {
		if (!ledger->chips[ledger->round - 1][stars])
			return false;
	}
	return true;
}

static inline void ledger_chip(struct ledger *ledger, const struct event *event)
{
	uint8_t *seats = ledger->chips[ledger->round - 1];
	unsigned stars = event->public_data[0];

	CHECK(event->color == ledger->round && event->heist);
	CHECK(event->seat >= 1 && event->seat <= ledger->players);
	CHECK(stars >= 1 && stars <= ledger->players);
	if (event->type == EVENT_CHIP_RETURNED) {
		CHECK(seats[stars] == event->seat);
		seats[stars] = CHIPS_CENTER;
		return;
	}
	CHECK(seats[stars] == event->public_data[1] &&
	      seats[stars] != event->seat);
	for (unsigned other = 1; other <= ledger->players; other++)
		CHECK(seats[other] != event->seat);
	seats[stars] = event->seat;
}

/* --- specialists ---------------------------------------------------------- */

static inline unsigned ledger_count(const struct ledger *ledger, unsigned seat,
                                    unsigned value)
{
	const struct pocket *pocket = &ledger->pockets[seat];
	unsigned count = 0;

	for (unsigned i = 0; i < pocket->count; i++) {
		unsigned card = pocket->cards[i];

		if (ledger->specialist == SPECIALIST_INVESTOR)
			count += is_face(card);
		else if (ledger->specialist == SPECIALIST_MATH_WHIZ)
			count += worth_of(card);
		else if (ledger->specialist == SPECIALIST_MASTERMIND)
			count += card_text((uint8_t)card)[0] ==
			         "?23456789TJQKA"[value];
	}
	return count;
}

/* Whose private choices follow. */
static inline unsigned ledger_choosers(const struct ledger *ledger,
                                       unsigned seat)
{
	switch (ledger->specialist) {
	case SPECIALIST_INFORMANT:
	case SPECIALIST_HACKER:
	case SPECIALIST_JACK:
		return 1U << seat;
	case SPECIALIST_COORDINATOR:
	case SPECIALIST_CON_ARTIST:
		return (2U << ledger->players) - 2;
	}
	return 0;
}

static inline void ledger_use(struct ledger *ledger, const struct event *event)
{
	unsigned seat = event->public_data[1];
	unsigned value = event->public_data[3];

	CHECK(event->public_len == 5 &&
	      event->public_data[0] == ledger->specialist);
	CHECK(seat <= ledger->players);
	CHECK(ledger->announced < HEIST_PLAYERS_MAX);
	ledger->announcements[ledger->announced++] = (struct announcement){
		event->public_data[1], event->public_data[2],
		event->public_data[3], event->public_data[4]
	};
	if (is_asked(ledger->specialist))
		CHECK(ledger->is_proposed && ledger->agreed &&
		      ledger->agreed == ledger_voters(ledger));
	ledger->is_proposed = false;
	ledger->agreed = 0;
	ledger->choosing = ledger_choosers(ledger, seat);
	if (ledger->specialist == SPECIALIST_MUSCLE)
		ledger->muscle = seat;
	if (ledger->specialist == SPECIALIST_GETAWAY_DRIVER) {
		struct hand hand =
			pocket_hand(&ledger->pockets[seat], ledger->community,
		                    ledger->community_count);
		CHECK(value == hand.ranking + 1U);
	} else {
		CHECK((value > 0) ==
		      (ledger->specialist == SPECIALIST_MASTERMIND));
	}
	CHECK(event->public_data[4] ==
	      (seat ? ledger_count(ledger, seat, value) : 0));
	CHECK((event->public_data[2] > 0) ==
	      (ledger->specialist == SPECIALIST_INFORMANT));
}

/* Hacker and Jack discard; with Coordinator the cards wait. */
static inline void ledger_choice(struct ledger *ledger,
                                 const struct event *event,
                                 const struct heist *before)
{
	struct pocket *pocket = &ledger->pockets[event->seat];

	CHECK(ledger->choosing >> event->seat & 1);
	ledger->choosing &= ~(1U << event->seat);
	if (ledger->specialist == SPECIALIST_CON_ARTIST) {
		CHECK(event->private_len == 0);
		return;
	}
	unsigned card = event->private_data[0];
	CHECK(event->private_len == 2);
	CHECK(event->private_data[1] == before->ability.proposal.target);
	if (ledger->specialist == SPECIALIST_COORDINATOR)
		ledger->laid_out[event->seat] = (uint8_t)card;
	if (ledger->specialist == SPECIALIST_HACKER ||
	    ledger->specialist == SPECIALIST_JACK) {
		unsigned drawn = before->ability.drawn;

		CHECK((drawn == CARD_JX) ==
		      (ledger->specialist == SPECIALIST_JACK));
		CHECK(card != CARD_JX);
		if (card != drawn)
			ledger_exchange(pocket, card, drawn);
	} else {
		CHECK(pocket_has(pocket, card));
	}
	if (ledger->specialist == SPECIALIST_INFORMANT) {
		ledger->shown = card;
		ledger->shown_by = event->seat;
		ledger->shown_to = ledger->announcements[0].target;
	}
}

/* A proposal is made, agreed to, or withdrawn. */
static inline void ledger_propose(struct ledger *ledger,
                                  const struct event *event)
{
	if (event->type == EVENT_SPECIALIST_WITHDRAWN) {
		CHECK(ledger->is_proposed);
		ledger->is_proposed = false;
		ledger->agreed = 0;
		return;
	}
	CHECK(ledger->is_proposed == (event->type == EVENT_SPECIALIST_AGREED));
	ledger->is_proposed = true;
	CHECK(!(ledger->agreed >> event->seat & 1));
	CHECK(!ledger->announced && !ledger->revealed);
	ledger->agreed |= 1U << event->seat;
}

/* --- the showdown --------------------------------------------------------- */

static inline uint64_t ledger_strength(const struct ledger *ledger,
                                       unsigned seat)
{
	struct hand hand =
		pocket_hand(&ledger->pockets[seat], ledger->community, 5);

	return (uint64_t)hand.ranking << 40 |
	       (uint64_t)(seat == ledger->muscle) << 36 | hand.value;
}

static inline bool ledger_owes_answers(const struct ledger *ledger)
{
	return (ledger_has(ledger, CHALLENGE_RETINA_SCAN) &&
	        !ledger->settled[CHALLENGE_RETINA_SCAN]) ||
	       (ledger_has(ledger, CHALLENGE_FINGERPRINT_SCAN) &&
	        !ledger->settled[CHALLENGE_FINGERPRINT_SCAN]);
}

static inline void ledger_reveal(struct ledger *ledger,
                                 const struct event *event)
{
	unsigned stars = ++ledger->revealed;
	unsigned seat = ledger->chips[COLOR_RED][stars];
	uint64_t strength = ledger_strength(ledger, seat);
	bool in_order = strength >= ledger->strongest;

	CHECK(event->public_data[0] == stars && event->seat == seat);
	CHECK(event->public_data[1] == in_order);
	CHECK(event->public_data[3] == ledger->pockets[seat].count);
	CHECK(same_bytes(event->public_data + 4, ledger->pockets[seat].cards,
	                 event->public_data[3]));
	CHECK(stars < ledger->players || !ledger_owes_answers(ledger));
	ledger->all_in_order = ledger->all_in_order && in_order;
	if (in_order)
		ledger->strongest = strength;
}

/* All who sit there answer, but the one who is asked about. */
static inline unsigned ledger_answerers(const struct ledger *ledger)
{
	unsigned last = ledger->chips[COLOR_RED][ledger->players];

	return ledger_voters(ledger) & ~(1U << last);
}

/* What all of them have said to a question; 0 if it is not the same. */
static inline unsigned ledger_agreed(const struct ledger *ledger,
                                     unsigned question)
{
	unsigned seats = ledger_answerers(ledger);
	unsigned value =
		seats ? ledger->answers[question][lowest_seat(seats)] : 0;

	for (unsigned seat = 1; seat <= ledger->players; seat++) {
		if (seats >> seat & 1 &&
		    ledger->answers[question][seat] != value)
			return 0;
	}
	return value;
}

static inline void ledger_question(struct ledger *ledger,
                                   const struct event *event)
{
	unsigned question = event->public_data[0];
	unsigned value = event->public_data[1];
	unsigned last = ledger->chips[COLOR_RED][ledger->players];
	const struct pocket *pocket = &ledger->pockets[last];

	CHECK(ledger_has(ledger, question));
	if (event->type == EVENT_ANSWER_GIVEN) {
		CHECK(event->seat != last && !ledger->settled[question]);
		CHECK(ledger->revealed == ledger->players - 1);
		ledger->answers[question][event->seat] = (uint8_t)value;
		return;
	}
	if (event->type == EVENT_QUESTION_SETTLED) {
		CHECK(value && ledger_agreed(ledger, question) == value);
		ledger->settled[question] = (uint8_t)value;
		return;
	}
	bool right = false;
	if (question == CHALLENGE_FINGERPRINT_SCAN)
		right = pocket_hand(pocket, ledger->community, 5).ranking +
		                1U ==
		        ledger->settled[question];
	for (unsigned i = 0;
	     question == CHALLENGE_RETINA_SCAN && i < pocket->count; i++)
		right = right ||
		        card_text(pocket->cards[i])[0] ==
		                "?23456789TJQKA"[ledger->settled[question]];
	CHECK(ledger->revealed == ledger->players && value == right);
	ledger->right[question] = right;
}

/* Nothing is left of a heist that was abandoned but what it is played with. */
static inline void ledger_abandon(struct ledger *ledger)
{
	CHECK(ledger->vacant && !ledger->abandoned);
	CHECK(ledger->revealed < ledger->players);
	*ledger = (struct ledger){
		.players = ledger->players,
		.vacant = ledger->vacant,
		.abandoned = true,
		.challenges = ledger->challenges,
		.specialist = ledger->specialist,
		.round = ledger->round,
	};
}

static inline void ledger_end(struct ledger *ledger, const struct event *event)
{
	bool good = ledger->all_in_order;

	if (event->public_data[0] == OUTCOME_ABANDONED) {
		ledger_abandon(ledger);
		return;
	}
	CHECK(ledger->revealed == ledger->players);
	CHECK(!ledger_owes_answers(ledger));
	for (unsigned question = 1; question <= CHALLENGE_MAX; question++) {
		if (ledger->settled[question])
			good = good && ledger->right[question];
	}
	CHECK(event->public_data[0] ==
	      (good ? OUTCOME_SUCCEEDED : OUTCOME_FAILED));
}

/* --- event by event ------------------------------------------------------- */

static inline void ledger_open(struct ledger *ledger, unsigned players,
                               const struct event *event)
{
	*ledger = (struct ledger){
		.players = players,
		.vacant = ledger->vacant,
		.challenges = (unsigned)event->public_data[1] << 8 |
		              event->public_data[2],
		.specialist = event->public_len > 5 ? event->public_data[5] : 0,
		.all_in_order = true,
	};
}

/* Somebody comes or goes, in a game that has begun. */
static inline void ledger_seat(struct ledger *ledger, const struct event *event)
{
	unsigned bit = 1U << event->seat;

	if (event->type == EVENT_PLAYER_JOINED) {
		CHECK(ledger->vacant & bit);
		ledger->vacant &= ~bit;
		return;
	}
	CHECK(!(ledger->vacant & bit));
	ledger->vacant |= bit;
	/* Whoever comes has agreed to nothing, and said nothing. */
	ledger->agreed &= ~bit;
	for (unsigned question = 1; question <= CHALLENGE_MAX; question++) {
		if (!ledger->settled[question])
			ledger->answers[question][event->seat] = 0;
	}
}

static inline void ledger_note(struct ledger *ledger, const struct event *event,
                               const struct heist *before,
                               const struct heist *after)
{
	/* Who has to draw draws before anything else happens. */
	CHECK(!ledger->redraw_by || event->type == EVENT_CARDS_REDRAWN);
	switch ((enum gang_event)event->type) {
	case EVENT_HEIST_STARTED:
		ledger_open(ledger, after->plan.players, event);
		return;
	case EVENT_CARDS_DEALT:
		ledger_deal(ledger, event);
		return;
	case EVENT_ROUND_STARTED:
		ledger_round(ledger, event);
		return;
	case EVENT_ROUND_ENDED:
		CHECK(ledger_is_settled(ledger));
		return;
	case EVENT_CHIP_TAKEN:
	case EVENT_CHIP_RETURNED:
		ledger_chip(ledger, event);
		return;
	case EVENT_CARDS_REDRAWN:
		ledger_redraw(ledger, event);
		return;
	case EVENT_CARDS_PASSED:
		ledger_pass(ledger, event);
		return;
	case EVENT_CARDS_REDEALT:
		ledger_redeal(ledger, event);
		return;
	case EVENT_SPECIALIST_USED:
		ledger_use(ledger, event);
		return;
	case EVENT_CHOICE_MADE:
		ledger_choice(ledger, event, before);
		return;
	case EVENT_HAND_REVEALED:
		ledger_reveal(ledger, event);
		return;
	case EVENT_ANSWER_GIVEN:
	case EVENT_QUESTION_SETTLED:
	case EVENT_QUESTION_JUDGED:
		ledger_question(ledger, event);
		return;
	case EVENT_HEIST_ENDED:
		ledger_end(ledger, event);
		return;
	case EVENT_SPECIALIST_PROPOSED:
	case EVENT_SPECIALIST_AGREED:
	case EVENT_SPECIALIST_WITHDRAWN:
		ledger_propose(ledger, event);
		return;
	case EVENT_GAME_ENDED:
		return;
	}
}

#endif
