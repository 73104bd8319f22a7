#include "gang/use.h"

#include <assert.h>

#include "gang/deal.h"
#include "gang/heist.h"
#include "gang/specialist.h"

static unsigned bit(unsigned seat)
{
	return 1U << seat;
}

static const struct specialist *row_of(const struct heist *heist)
{
	return specialist_get(heist->use.specialist);
}

void use_init(struct use *use, unsigned specialist)
{
	assert(!specialist || specialist_exists(specialist));
	*use = (struct use){
		.specialist = (uint8_t)specialist,
		.drawn = CARD_NONE,
		.shown = CARD_NONE,
	};
	for (unsigned i = 0; i < HEIST_PLAYERS_MAX; i++)
		use->laid_out[i] = CARD_NONE;
}

/* --- telling -------------------------------------------------------------- */

static void tell(const struct heist *heist, unsigned type, unsigned seat,
                 const struct announcement *of, struct events *events)
{
	struct event *event = heist_tell_round(heist, type, seat, events);

	event_open(event, heist->use.specialist);
	event_open(event, of->seat);
	event_open(event, of->target);
	event_open(event, of->value);
	event_open(event, of->count);
}

static void tell_proposal(const struct heist *heist, unsigned type,
                          unsigned seat, struct events *events)
{
	const struct proposal *proposal = &heist->use.proposal;
	struct announcement of = {
		.seat = proposal->seat,
		.target = proposal->target,
		.value = proposal->value,
	};

	tell(heist, type, seat, &of, events);
}

static void announce(struct heist *heist, struct announcement of,
                     struct events *events)
{
	struct use *use = &heist->use;
	const struct specialist *row = row_of(heist);

	if (row->tell)
		row->tell(heist, &of);
	assert(use->announcements_count < HEIST_PLAYERS_MAX);
	use->announcements[use->announcements_count++] = of;
	tell(heist, EVENT_SPECIALIST_USED, row->is_automatic ? 0 : of.seat, &of,
	     events);
}

/* --- carrying out --------------------------------------------------------- */

/* What has been announced is done, up to the choices that it waits for. */
static void carry_out(struct heist *heist)
{
	struct use *use = &heist->use;
	const struct specialist *row = row_of(heist);

	if (row->draws == DRAW_TOP)
		use->drawn = deal_draw(heist);
	else if (row->draws == DRAW_JACK)
		use->drawn = CARD_JX;

	if (row->choosers == CHOOSER_SEAT)
		use->choosing = (uint8_t)bit(use->proposal.seat);
	else if (row->choosers == CHOOSER_ALL)
		use->choosing = (uint8_t)heist_seats(heist);
	use->state = use->choosing ? USE_CHOOSING : USE_USED;
}

void use_begin(struct heist *heist, struct events *events)
{
	if (!heist->use.specialist || !row_of(heist)->is_automatic)
		return;
	if (row_of(heist)->tell) {
		for (unsigned seat = 1; seat <= heist->plan.players; seat++)
			announce(heist,
			         (struct announcement){ .seat = (uint8_t)seat },
			         events);
	} else {
		announce(heist, (struct announcement){ 0 }, events);
	}
	carry_out(heist);
}

/* --- proposals ------------------------------------------------------------ */

static struct fault check_seat(const struct heist *heist, const char *member,
                               unsigned seat)
{
	if (!seat)
		return (struct fault){ member, "required",
			               "This specialist asks who." };
	if (seat > heist->plan.players)
		return (struct fault){ member, "out_of_range",
			               "The game has no such seat." };
	return (struct fault){ NULL };
}

struct fault use_fault_of_propose(const struct heist *heist,
                                  const struct proposal *wanted)
{
	const struct specialist *row = row_of(heist);
	struct fault fault = check_seat(heist, "seat", wanted->seat);

	if (fault.member)
		return fault;
	if (row->asks_target) {
		fault = check_seat(heist, "target_seat", wanted->target);
		if (fault.member)
			return fault;
		if (wanted->target == wanted->seat)
			return (struct fault){ "target_seat", "not_allowed",
				               "It takes two players." };
	} else if (wanted->target) {
		return (struct fault){ "target_seat", "not_allowed",
			               "This specialist needs one player." };
	}
	if (row->asks_value && !wanted->value)
		return (struct fault){ "value", "required",
			               "This specialist asks for a value." };
	/* An action may come from a log that somebody damaged. */
	if (wanted->value > value_max(VALUE_RANK))
		return (struct fault){ "value", "not_one_of",
			               "A value is a rank of cards." };
	if (!row->asks_value && wanted->value)
		return (struct fault){ "value", "not_allowed",
			               "This specialist asks for no value." };
	return (struct fault){ NULL };
}

enum err use_check_propose(const struct heist *heist,
                           const struct proposal *wanted)
{
	const struct use *use = &heist->use;

	if (heist->outcome != OUTCOME_OPEN)
		return ERR_HEIST_OVER;
	if (!use->specialist || row_of(heist)->is_automatic ||
	    showdown_is_asking(heist))
		return ERR_NOT_ALLOWED_NOW;
	if (use->state == USE_PROPOSED)
		return ERR_PROPOSAL_OPEN;
	if (use->state == USE_CHOOSING)
		return ERR_CHOICE_DUE;
	if (use->state == USE_USED)
		return ERR_ALREADY_USED;
	if (use_fault_of_propose(heist, wanted).member)
		return ERR_INVALID;
	return ERR_OK;
}

static void settle_votes(struct heist *heist, struct events *events)
{
	const struct proposal *proposal = &heist->use.proposal;
	unsigned voters = heist_voters(heist);

	/* Nobody's agreement is none. */
	if (heist->use.state != USE_PROPOSED || !voters ||
	    voters & ~(unsigned)proposal->agreed)
		return;
	announce(heist,
	         (struct announcement){
			 .seat = proposal->seat,
			 .target = proposal->target,
			 .value = proposal->value,
		 },
	         events);
	carry_out(heist);
}

void use_propose(struct heist *heist, const struct proposal *wanted,
                 struct events *events)
{
	struct use *use = &heist->use;

	use->proposal = *wanted;
	use->proposal.agreed = (uint8_t)bit(wanted->by);
	use->state = USE_PROPOSED;
	tell_proposal(heist, EVENT_SPECIALIST_PROPOSED, wanted->by, events);
	/* When all others have left there is nobody to agree. */
	settle_votes(heist, events);
}

enum err use_check_vote(const struct heist *heist, unsigned seat, bool agrees)
{
	const struct use *use = &heist->use;

	if (heist->outcome != OUTCOME_OPEN)
		return ERR_HEIST_OVER;
	if (use->state != USE_PROPOSED)
		return ERR_NO_PROPOSAL;
	if (agrees && use->proposal.agreed & bit(seat))
		return ERR_NOT_ALLOWED_NOW;
	return ERR_OK;
}

static void withdraw(struct heist *heist, unsigned seat, struct events *events)
{
	tell_proposal(heist, EVENT_SPECIALIST_WITHDRAWN, seat, events);
	heist->use.proposal = (struct proposal){ 0 };
	heist->use.state = USE_AVAILABLE;
}

void use_vote(struct heist *heist, unsigned seat, bool agrees,
              struct events *events)
{
	struct proposal *proposal = &heist->use.proposal;

	if (!agrees) {
		withdraw(heist, seat, events);
		return;
	}
	proposal->agreed |= (uint8_t)bit(seat);
	tell_proposal(heist, EVENT_SPECIALIST_AGREED, seat, events);
	settle_votes(heist, events);
}

void use_vacate(struct heist *heist, unsigned seat, struct events *events)
{
	/* Who takes the seat over has agreed to nothing. */
	if (heist->use.state == USE_PROPOSED)
		heist->use.proposal.agreed &= (uint8_t)~bit(seat);
	settle_votes(heist, events);
}

void use_expire(struct heist *heist, struct events *events)
{
	if (heist->use.state == USE_PROPOSED)
		withdraw(heist, 0, events);
}

/* --- choices -------------------------------------------------------------- */

unsigned use_options(const struct heist *heist, unsigned seat,
                     uint8_t options[OPTIONS_MAX])
{
	const struct use *use = &heist->use;
	const struct pocket *pocket = &heist->pockets[seat - 1];
	unsigned count = 0;

	if (!(use->choosing & bit(seat)) || !row_of(heist)->choose)
		return 0;
	for (unsigned i = 0; i < pocket->count; i++)
		options[count++] = pocket->cards[i];
	/* The Jack that just came does not go again. */
	if (use->drawn < CARD_DECK_COUNT)
		options[count++] = use->drawn;
	return count;
}

struct fault use_fault_of_choose(const struct heist *heist, unsigned card)
{
	if (!row_of(heist)->choose)
		return (struct fault){ "card", "not_allowed",
			               "Look at your cards, and say "
			               "{\"looked\":true}." };
	if (card == CHOICE_LOOKED)
		return (struct fault){
			"looked", "not_allowed",
			"A card is to be chosen: {\"card\":...}."
		};
	return (struct fault){ "card", "not_one_of",
		               "Choose one of the \"options\" of your "
		               "\"choice_due\"." };
}

enum err use_check_choose(const struct heist *heist, unsigned seat,
                          unsigned card)
{
	const struct use *use = &heist->use;
	uint8_t options[OPTIONS_MAX];

	if (heist->outcome != OUTCOME_OPEN)
		return ERR_HEIST_OVER;
	if (!use->choosing)
		return ERR_NO_CHOICE_DUE;
	if (!(use->choosing & bit(seat)))
		return ERR_NOT_YOUR_CHOICE;
	if (!row_of(heist)->choose)
		return card == CHOICE_LOOKED ? ERR_OK : ERR_INVALID;

	unsigned count = use_options(heist, seat, options);
	for (unsigned i = 0; i < count; i++) {
		if (options[i] == card)
			return ERR_OK;
	}
	return ERR_INVALID;
}

/* Who chose is told to all; what, to the seat and to whom it was shown. */
static void tell_choice(const struct heist *heist, unsigned seat, unsigned card,
                        struct events *events)
{
	struct event *event =
		heist_tell_round(heist, EVENT_CHOICE_MADE, seat, events);

	event_open(event, heist->use.specialist);
	if (card == CHOICE_LOOKED)
		return;
	event_secret(event, card);
	event_secret(event, heist->use.proposal.target);
}

void use_choose(struct heist *heist, unsigned seat, unsigned card,
                struct chance *chance, struct events *events)
{
	struct use *use = &heist->use;
	const struct specialist *row = row_of(heist);

	tell_choice(heist, seat, card, events);
	if (row->choose)
		row->choose(heist, seat, card);
	use->choosing &= (uint8_t)~bit(seat);
	if (use->choosing)
		return;
	use->state = USE_USED;
	if (row->settle)
		row->settle(heist, chance, events);
}

unsigned use_waiting_for(const struct heist *heist)
{
	const struct use *use = &heist->use;

	if (use->state == USE_PROPOSED)
		return heist_voters(heist) & ~(unsigned)use->proposal.agreed;
	return use->choosing;
}

/* --- what must always hold ----------------------------------------------- */

bool use_brings_jack(const struct use *use)
{
	return use->specialist &&
	       specialist_get(use->specialist)->draws == DRAW_JACK &&
	       use->state >= USE_CHOOSING;
}

/* While it is proposed, only who sits there has agreed, and never all. */
static bool agreed_valid(const struct heist *heist)
{
	unsigned agreed = heist->use.proposal.agreed;
	unsigned voters = heist_voters(heist);

	if (heist->use.state != USE_PROPOSED)
		return !(agreed & ~heist_seats(heist));
	return !(agreed & ~voters) && (!voters || agreed != voters);
}

static bool proposal_valid(const struct heist *heist)
{
	const struct use *use = &heist->use;
	const struct proposal *proposal = &use->proposal;

	if (use->state == USE_AVAILABLE || row_of(heist)->is_automatic)
		return !proposal->by && !proposal->seat && !proposal->target &&
		       !proposal->value && !proposal->agreed;
	return proposal->by >= 1 && proposal->by <= heist->plan.players &&
	       proposal->value <= value_max(VALUE_RANK) &&
	       !use_fault_of_propose(heist, proposal).member &&
	       agreed_valid(heist);
}

/* Those who may owe a choice, whether they have made it or not. */
static unsigned choosers_of(const struct heist *heist)
{
	switch (row_of(heist)->choosers) {
	case CHOOSER_NOBODY:
		break;
	case CHOOSER_SEAT:
		return bit(heist->use.proposal.seat);
	case CHOOSER_ALL:
		return heist_seats(heist);
	}
	return 0;
}

static bool choices_valid(const struct heist *heist)
{
	const struct use *use = &heist->use;
	const struct specialist *row = row_of(heist);
	unsigned choosers = choosers_of(heist);
	bool chooses = use->state == USE_CHOOSING;

	if (chooses != (use->choosing != 0) || use->choosing & ~choosers ||
	    (use->drawn != CARD_NONE) != (chooses && row->draws))
		return false;
	for (unsigned i = 0; i < HEIST_PLAYERS_MAX; i++) {
		unsigned seat = i + 1;
		bool laid_out = use->laid_out[i] != CARD_NONE;

		/* What one player chooses is carried out at once. */
		if (laid_out !=
		    (chooses && row->choose && row->choosers == CHOOSER_ALL &&
		     (choosers & ~(unsigned)use->choosing & bit(seat))))
			return false;
		if (laid_out &&
		    !pocket_has(&heist->pockets[i], use->laid_out[i]))
			return false;
	}
	return true;
}

/* Cards that somebody remembers, wherever they are by now. */
static bool memories_valid(const struct heist *heist)
{
	const struct use *use = &heist->use;
	const struct specialist *row = row_of(heist);
	bool used = use->state == USE_USED;
	bool looked = used && row->choosers == CHOOSER_ALL && !row->choose;

	if ((use->shown != CARD_NONE) != (used && row->asks_target) ||
	    (use->shown != CARD_NONE && use->shown >= CARD_DECK_COUNT))
		return false;
	for (unsigned i = 0; i < HEIST_PLAYERS_MAX; i++) {
		const struct pocket *former = &use->former[i];
		unsigned count = looked && i < heist->plan.players
		                         ? heist->pockets[i].count
		                         : 0;

		if (former->count != count)
			return false;
		for (unsigned j = 0; j < count; j++) {
			if (former->cards[j] >= CARD_DECK_COUNT)
				return false;
		}
	}
	return true;
}

static unsigned announced(const struct heist *heist)
{
	const struct specialist *row = row_of(heist);

	if (heist->use.state < USE_CHOOSING)
		return 0;
	return row->is_automatic && row->tell ? heist->plan.players : 1;
}

static bool announcements_valid(const struct heist *heist)
{
	const struct use *use = &heist->use;

	if (use->announcements_count != announced(heist))
		return false;
	for (unsigned i = 0; i < use->announcements_count; i++) {
		const struct announcement *of = &use->announcements[i];

		if (of->seat > heist->plan.players ||
		    of->target > heist->plan.players ||
		    of->value > value_max(row_of(heist)->tells))
			return false;
	}
	return true;
}

bool use_valid(const struct heist *heist)
{
	const struct use *use = &heist->use;

	if (use->specialist != heist->plan.specialist || use->state > USE_USED)
		return false;
	if (!use->specialist)
		return use->state == USE_AVAILABLE && !use->choosing &&
		       use->drawn == CARD_NONE && !use->announcements_count;
	if (!specialist_exists(use->specialist) ||
	    (row_of(heist)->is_automatic && use->state < USE_CHOOSING))
		return false;
	return proposal_valid(heist) && choices_valid(heist) &&
	       memories_valid(heist) && announcements_valid(heist);
}
