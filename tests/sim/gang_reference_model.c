/*
 * gang_reference_model.c - follows the events of a heist, public and private.
 *
 * The model holds the cards of every seat, the chips of every round, proposals,
 * choices and answers.  model_apply() first checks that an event can follow
 * what is in the model, then changes the model as a reader of the log would.
 * The rules' state is used only where an event refers to what was there before
 * it.
 */
#include "gang_reference_model.h"

bool model_has(const struct model *model, unsigned challenge)
{
	return model->challenges >> challenge & 1;
}

static unsigned lowest_seat(unsigned seats)
{
	unsigned seat = 1;

	while (!(seats >> seat & 1))
		seat++;
	return seat;
}

unsigned model_voters(const struct model *model)
{
	return ((2U << model->players) - 2) & ~model->vacant;
}

/* --- cards ---------------------------------------------------------------- */

uint64_t pocket_set(const struct pocket *pocket)
{
	uint64_t set = 0;

	for (unsigned i = 0; i < pocket->count; i++) {
		CHECK(pocket->cards[i] < CARD_COUNT);
		set |= UINT64_C(1) << pocket->cards[i];
	}
	return set;
}

static bool is_face(unsigned card)
{
	return card_text((uint8_t)card)[0] == 'J' ||
	       card_text((uint8_t)card)[0] == 'Q' ||
	       card_text((uint8_t)card)[0] == 'K';
}

static unsigned worth_of(unsigned card)
{
	char rank = card_text((uint8_t)card)[0];

	if (rank == 'A')
		return 11;
	return rank >= '2' && rank <= '9' ? (unsigned)(rank - '0') : 10;
}

static void model_exchange(struct pocket *pocket, unsigned goes, unsigned comes)
{
	unsigned at = 0;

	while (at < pocket->count && pocket->cards[at] != goes)
		at++;
	CHECK(at < pocket->count);
	pocket->cards[at] = (uint8_t)comes;
}

/* Everybody's cards, out of the secret part of an event. */
static void model_deal(struct model *model, const struct event *event)
{
	unsigned count = model_has(model, CHALLENGE_SECURITY_CAMERAS) ? 3 : 2;

	CHECK(event->public_len == 1 && event->public_data[0] == count);
	CHECK(event->private_len == count * model->players);
	for (unsigned seat = 1; seat <= model->players; seat++) {
		model->pockets[seat].count = (uint8_t)count;
		memcpy(model->pockets[seat].cards,
		       event->private_data + (seat - 1) * count, count);
	}
}

static uint64_t model_cards(const struct model *model)
{
	uint64_t set = 0;

	for (unsigned seat = 1; seat <= model->players; seat++)
		set |= pocket_set(&model->pockets[seat]);
	return set;
}

/* All pocket cards, and only those, are dealt again. */
static void model_redeal(struct model *model, const struct event *event)
{
	uint64_t before = model_cards(model);

	memcpy(model->former, model->pockets, sizeof(model->former));
	model_deal(model, event);
	CHECK(model_cards(model) == before);
}

/* Each has the card of the seat before, and the others as they were. */
static void model_pass(struct model *model, const struct event *event)
{
	struct model old = *model;

	model_deal(model, event);
	for (unsigned seat = 1; seat <= model->players; seat++) {
		unsigned right = seat == 1 ? model->players : seat - 1;
		struct pocket expected = old.pockets[seat];

		model_exchange(&expected, old.laid_out[seat],
		               old.laid_out[right]);
		CHECK(pocket_set(&expected) ==
		      pocket_set(&model->pockets[seat]));
	}
}

static void model_redraw(struct model *model, const struct event *event)
{
	struct pocket *pocket = &model->pockets[event->seat];

	CHECK(event->public_data[0] == model->redraw_by);
	CHECK(event->seat == model->redraw_seat);
	CHECK(event->public_data[1] == pocket->count);
	CHECK(event->private_len == pocket->count);
	model->redrawn |= 1U << model->redraw_by;
	model->redraw_by = 0;
	if (pocket_set(pocket) >> CARD_JX & 1)
		model->jack_redrawn = true;
	memcpy(pocket->cards, event->private_data, pocket->count);
}

/* --- rounds and chips ----------------------------------------------------- */

/* The flop lies open: who has to draw anew? */
static void model_flop(struct model *model)
{
	bool faces = false;
	unsigned number = 0;

	if (model_has(model, CHALLENGE_QUICK_ACCESS))
		return;
	for (unsigned i = 0; i < 3; i++)
		faces = faces || is_face(model->community[i]);
	if (faces && model_has(model, CHALLENGE_MOTION_DETECTOR))
		number = CHALLENGE_MOTION_DETECTOR;
	if (!faces && model_has(model, CHALLENGE_LASER_TRIPWIRES))
		number = CHALLENGE_LASER_TRIPWIRES;
	model->redraw_by = number;
	model->redraw_seat =
		model->chips[COLOR_WHITE][number == CHALLENGE_MOTION_DETECTOR
	                                          ? 1
	                                          : model->players];
}

static void model_round(struct model *model, const struct event *event)
{
	static const uint8_t open[] = { 0, 0, 3, 4, 5 };
	unsigned before = model->community_count;

	model->round++;
	if ((model->round == 1 && model_has(model, CHALLENGE_QUICK_ACCESS)) ||
	    (model->round == 3 && model_has(model, CHALLENGE_HASTY_GETAWAY)))
		model->round++;
	CHECK(model->round <= 4 && event->public_data[0] == model->round);
	CHECK(event->subpart == model->round);
	CHECK(event->public_len == 1U + open[model->round] - before);
	for (unsigned i = 1; i < event->public_len; i++)
		model->community[model->community_count++] =
			event->public_data[i];
	if (before < 3 && model->community_count >= 3)
		model_flop(model);
}

bool model_is_settled(const struct model *model)
{
	for (unsigned stars = 1; stars <= model->players; stars++) {
		if (!model->chips[model->round - 1][stars])
			return false;
	}
	return true;
}

static void model_chip(struct model *model, const struct event *event)
{
	uint8_t *seats = model->chips[model->round - 1];
	unsigned stars = event->public_data[0];

	CHECK(event->subpart == model->round && event->part);
	CHECK(event->seat >= 1 && event->seat <= model->players);
	CHECK(stars >= 1 && stars <= model->players);
	model->confirmed = 0;
	if (event->type == EVENT_CHIP_RETURNED) {
		CHECK(seats[stars] == event->seat);
		seats[stars] = CHIPS_CENTER;
		return;
	}
	CHECK(seats[stars] == event->public_data[1] &&
	      seats[stars] != event->seat);
	for (unsigned other = 1; other <= model->players; other++)
		CHECK(seats[other] != event->seat);
	seats[stars] = event->seat;
}

/* --- the end of a round --------------------------------------------------- */

static void model_confirm(struct model *model, const struct event *event)
{
	unsigned bit = 1U << event->seat;

	CHECK(model->confirms && model_is_settled(model));
	CHECK(!model->choosing && !model->revealed);
	CHECK(model_voters(model) & ~model->confirmed & bit);
	CHECK(event->public_len == 1 && event->private_len == 0);
	CHECK(event->public_data[0] == model->round);
	CHECK(event->subpart == model->round);
	model->confirmed |= bit;
}

static void model_round_end(struct model *model, const struct event *event)
{
	CHECK(model_is_settled(model) && !model->choosing);
	CHECK(event->public_data[0] == model->round);
	if (model->confirms)
		CHECK(model->confirmed &&
		      model->confirmed == model_voters(model));
	model->confirmed = 0;
}

/* --- specialists ---------------------------------------------------------- */

static unsigned model_count(const struct model *model, unsigned seat,
                            unsigned value)
{
	const struct pocket *pocket = &model->pockets[seat];
	unsigned count = 0;

	for (unsigned i = 0; i < pocket->count; i++) {
		unsigned card = pocket->cards[i];

		if (model->specialist == SPECIALIST_INVESTOR)
			count += is_face(card);
		else if (model->specialist == SPECIALIST_MATH_WHIZ)
			count += worth_of(card);
		else if (model->specialist == SPECIALIST_MASTERMIND)
			count += card_text((uint8_t)card)[0] ==
			         "?23456789TJQKA"[value];
	}
	return count;
}

/* The seats that owe a private choice. */
static unsigned model_choosers(const struct model *model, unsigned seat)
{
	switch (model->specialist) {
	case SPECIALIST_INFORMANT:
	case SPECIALIST_HACKER:
	case SPECIALIST_JACK:
		return 1U << seat;
	case SPECIALIST_COORDINATOR:
	case SPECIALIST_CON_ARTIST:
		return (2U << model->players) - 2;
	}
	return 0;
}

static void model_use(struct model *model, const struct event *event)
{
	unsigned seat = event->public_data[1];
	unsigned value = event->public_data[3];

	CHECK(event->public_len == 5 &&
	      event->public_data[0] == model->specialist);
	CHECK(seat <= model->players);
	CHECK(model->announced < HEIST_PLAYERS_MAX);
	model->announcements[model->announced++] = (struct announcement){
		event->public_data[1], event->public_data[2],
		event->public_data[3], event->public_data[4]
	};
	if (specialist_is_proposed(model->specialist))
		CHECK(model->is_proposed && model->agreed &&
		      model->agreed == model_voters(model));
	model->is_proposed = false;
	model->agreed = 0;
	model->confirmed = 0;
	model->choosing = model_choosers(model, seat);
	if (model->specialist == SPECIALIST_MUSCLE)
		model->muscle = seat;
	if (model->specialist == SPECIALIST_GETAWAY_DRIVER) {
		struct hand hand =
			pocket_hand(&model->pockets[seat], model->community,
		                    model->community_count);
		CHECK(value == hand.ranking + 1U);
	} else {
		CHECK((value > 0) ==
		      (model->specialist == SPECIALIST_MASTERMIND));
	}
	CHECK(event->public_data[4] ==
	      (seat ? model_count(model, seat, value) : 0));
	CHECK((event->public_data[2] > 0) ==
	      (model->specialist == SPECIALIST_INFORMANT));
}

/* Hacker and Jack discard; with Coordinator the cards wait. */
static void model_choice(struct model *model, const struct event *event,
                         const struct heist *before)
{
	struct pocket *pocket = &model->pockets[event->seat];

	CHECK(model->choosing >> event->seat & 1);
	model->choosing &= ~(1U << event->seat);
	if (model->specialist == SPECIALIST_CON_ARTIST) {
		CHECK(event->private_len == 0);
		return;
	}
	unsigned card = event->private_data[0];
	CHECK(event->private_len == 2);
	CHECK(event->private_data[1] == before->ability.proposal.target);
	if (model->specialist == SPECIALIST_COORDINATOR)
		model->laid_out[event->seat] = (uint8_t)card;
	if (model->specialist == SPECIALIST_HACKER ||
	    model->specialist == SPECIALIST_JACK) {
		unsigned drawn = before->ability.drawn;

		CHECK((drawn == CARD_JX) ==
		      (model->specialist == SPECIALIST_JACK));
		CHECK(card != CARD_JX);
		if (card != drawn)
			model_exchange(pocket, card, drawn);
	} else {
		CHECK(pocket_has(pocket, card));
	}
	if (model->specialist == SPECIALIST_INFORMANT) {
		model->shown = card;
		model->shown_by = event->seat;
		model->shown_to = model->announcements[0].target;
	}
}

/* A proposal is made, agreed to, or withdrawn. */
static void model_propose(struct model *model, const struct event *event)
{
	if (event->type == EVENT_SPECIALIST_WITHDRAWN) {
		CHECK(model->is_proposed);
		model->is_proposed = false;
		model->agreed = 0;
		return;
	}
	CHECK(model->is_proposed == (event->type == EVENT_SPECIALIST_AGREED));
	model->is_proposed = true;
	CHECK(!(model->agreed >> event->seat & 1));
	CHECK(!model->announced && !model->revealed);
	model->agreed |= 1U << event->seat;
}

/* --- the showdown --------------------------------------------------------- */

static uint64_t model_strength(const struct model *model, unsigned seat)
{
	struct hand hand =
		pocket_hand(&model->pockets[seat], model->community, 5);

	return (uint64_t)hand.ranking << 40 |
	       (uint64_t)(seat == model->muscle) << 36 | hand.value;
}

bool model_owes_answers(const struct model *model)
{
	return (model_has(model, CHALLENGE_RETINA_SCAN) &&
	        !model->settled[CHALLENGE_RETINA_SCAN]) ||
	       (model_has(model, CHALLENGE_FINGERPRINT_SCAN) &&
	        !model->settled[CHALLENGE_FINGERPRINT_SCAN]);
}

static void model_reveal(struct model *model, const struct event *event)
{
	unsigned stars = ++model->revealed;
	unsigned seat = model->chips[COLOR_RED][stars];
	uint64_t strength = model_strength(model, seat);
	bool in_order = strength >= model->strongest;

	CHECK(event->public_data[0] == stars && event->seat == seat);
	CHECK(event->public_data[1] == in_order);
	CHECK(event->public_data[3] == model->pockets[seat].count);
	CHECK(same_bytes(event->public_data + 4, model->pockets[seat].cards,
	                 event->public_data[3]));
	CHECK(stars < model->players || !model_owes_answers(model));
	model->all_in_order = model->all_in_order && in_order;
	if (in_order)
		model->strongest = strength;
}

unsigned model_answerers(const struct model *model)
{
	unsigned last = model->chips[COLOR_RED][model->players];

	return model_voters(model) & ~(1U << last);
}

unsigned model_agreed(const struct model *model, unsigned question)
{
	unsigned seats = model_answerers(model);
	unsigned value =
		seats ? model->answers[question][lowest_seat(seats)] : 0;

	for (unsigned seat = 1; seat <= model->players; seat++) {
		if (seats >> seat & 1 &&
		    model->answers[question][seat] != value)
			return 0;
	}
	return value;
}

static void model_question(struct model *model, const struct event *event)
{
	unsigned question = event->public_data[0];
	unsigned value = event->public_data[1];
	unsigned last = model->chips[COLOR_RED][model->players];
	const struct pocket *pocket = &model->pockets[last];

	CHECK(model_has(model, question));
	if (event->type == EVENT_ANSWER_GIVEN) {
		CHECK(event->seat != last && !model->settled[question]);
		CHECK(model->revealed == model->players - 1);
		model->answers[question][event->seat] = (uint8_t)value;
		return;
	}
	if (event->type == EVENT_QUESTION_SETTLED) {
		CHECK(value && model_agreed(model, question) == value);
		model->settled[question] = (uint8_t)value;
		return;
	}
	bool right = false;
	if (question == CHALLENGE_FINGERPRINT_SCAN)
		right = pocket_hand(pocket, model->community, 5).ranking + 1U ==
		        model->settled[question];
	for (unsigned i = 0;
	     question == CHALLENGE_RETINA_SCAN && i < pocket->count; i++)
		right = right ||
		        card_text(pocket->cards[i])[0] ==
		                "?23456789TJQKA"[model->settled[question]];
	CHECK(model->revealed == model->players && value == right);
	model->right[question] = right;
}

/* Nothing is left of a heist that was abandoned but what it is played with. */
static void model_abandon(struct model *model)
{
	CHECK(model->vacant && !model->abandoned);
	CHECK(model->revealed < model->players);
	*model = (struct model){
		.players = model->players,
		.vacant = model->vacant,
		.confirms = model->confirms,
		.abandoned = true,
		.challenges = model->challenges,
		.specialist = model->specialist,
		.round = model->round,
	};
}

static void model_end(struct model *model, const struct event *event)
{
	bool good = model->all_in_order;

	if (event->public_data[0] == OUTCOME_ABANDONED) {
		model_abandon(model);
		return;
	}
	CHECK(model->revealed == model->players);
	CHECK(!model_owes_answers(model));
	for (unsigned question = 1; question <= CHALLENGE_MAX; question++) {
		if (model->settled[question])
			good = good && model->right[question];
	}
	CHECK(event->public_data[0] ==
	      (good ? OUTCOME_SUCCEEDED : OUTCOME_FAILED));
}

/* --- event by event ------------------------------------------------------- */

static void model_start_heist(struct model *model, unsigned players,
                              const struct event *event)
{
	*model = (struct model){
		.players = players,
		.vacant = model->vacant,
		.confirms = model->confirms,
		.challenges = (unsigned)event->public_data[1] << 8 |
		              event->public_data[2],
		.specialist = event->public_len > 5 ? event->public_data[5] : 0,
		.all_in_order = true,
	};
}

void model_seat(struct model *model, const struct event *event)
{
	unsigned bit = 1U << event->seat;

	if (event->type == EVENT_PLAYER_JOINED) {
		CHECK(model->vacant & bit);
		model->vacant &= ~bit;
		return;
	}
	CHECK(!(model->vacant & bit));
	model->vacant |= bit;
	/*
	 * The next player there has confirmed nothing, agreed to nothing, and
	 * answered nothing.
	 */
	model->confirmed &= ~bit;
	model->agreed &= ~bit;
	for (unsigned question = 1; question <= CHALLENGE_MAX; question++) {
		if (!model->settled[question])
			model->answers[question][event->seat] = 0;
	}
}

void model_apply(struct model *model, const struct event *event,
                 const struct heist *before, const struct heist *after)
{
	/* A due redraw is the next event. */
	CHECK(!model->redraw_by || event->type == EVENT_CARDS_REDRAWN);
	switch ((enum gang_event)event->type) {
	case EVENT_HEIST_STARTED:
		model_start_heist(model, after->setup.players, event);
		return;
	case EVENT_CARDS_DEALT:
		model_deal(model, event);
		return;
	case EVENT_ROUND_STARTED:
		model_round(model, event);
		return;
	case EVENT_ROUND_CONFIRMED:
		model_confirm(model, event);
		return;
	case EVENT_ROUND_ENDED:
		model_round_end(model, event);
		return;
	case EVENT_CHIP_TAKEN:
	case EVENT_CHIP_RETURNED:
		model_chip(model, event);
		return;
	case EVENT_CARDS_REDRAWN:
		model_redraw(model, event);
		return;
	case EVENT_CARDS_PASSED:
		model_pass(model, event);
		return;
	case EVENT_CARDS_REDEALT:
		model_redeal(model, event);
		return;
	case EVENT_SPECIALIST_USED:
		model_use(model, event);
		return;
	case EVENT_CHOICE_MADE:
		model_choice(model, event, before);
		return;
	case EVENT_HAND_REVEALED:
		model_reveal(model, event);
		return;
	case EVENT_ANSWER_GIVEN:
	case EVENT_QUESTION_SETTLED:
	case EVENT_QUESTION_JUDGED:
		model_question(model, event);
		return;
	case EVENT_HEIST_ENDED:
		model_end(model, event);
		return;
	case EVENT_SPECIALIST_PROPOSED:
	case EVENT_SPECIALIST_AGREED:
	case EVENT_SPECIALIST_WITHDRAWN:
		model_propose(model, event);
		return;
	case EVENT_GAME_ENDED:
		return;
	}
}
