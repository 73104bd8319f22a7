/*
 * ledger_check.h - a state, and each view of it, are what the ledger says.
 */
#ifndef TESTS_SIM_LEDGER_CHECK_H
#define TESTS_SIM_LEDGER_CHECK_H

#include "ledger.h"

/* --- the state ------------------------------------------------------------ */

/* Under Blackout only the chips of the round are left. */
static inline void check_chips(const struct ledger *ledger,
                               const struct heist *heist)
{
	for (unsigned color = 0; color < COLOR_COUNT; color++) {
		const struct chips *chips = &heist->chips[color];
		bool skipped = (color == COLOR_WHITE &&
		                ledger_has(ledger, CHALLENGE_QUICK_ACCESS)) ||
		               (color == COLOR_ORANGE &&
		                ledger_has(ledger, CHALLENGE_HASTY_GETAWAY));
		bool gone = color + 1 < ledger->round &&
		            ledger_has(ledger, CHALLENGE_BLACKOUT);

		if (skipped || gone || color + 1 > ledger->round) {
			CHECK(chips->count == 0);
			for (unsigned i = 0; i < CHIPS_MAX; i++)
				CHECK(chips->holder[i] == 0);
			continue;
		}
		CHECK(chips->count == ledger->players);
		for (unsigned stars = 1; stars <= chips->count; stars++)
			CHECK(chips_holder(chips, stars) ==
			      ledger->chips[color][stars]);
	}
}

static inline void check_pockets(const struct ledger *ledger,
                                 const struct heist *heist)
{
	for (unsigned seat = 1; seat <= ledger->players; seat++) {
		CHECK(heist->pockets[seat - 1].count ==
		      ledger->pockets[seat].count);
		CHECK(set_of_pocket(&heist->pockets[seat - 1]) ==
		      set_of_pocket(&ledger->pockets[seat]));
	}
	CHECK(heist->community_count == ledger->community_count);
	CHECK(same_bytes(heist->community, ledger->community,
	                 ledger->community_count));
}

/* A round ends at once; no chip is moved while a choice is due. */
static inline void check_round(const struct ledger *ledger,
                               const struct heist *heist)
{
	bool open = heist->outcome == OUTCOME_OPEN;

	CHECK(heist->round == ledger->round);
	CHECK(!ledger->redraw_by);
	if (!ledger_is_settled(ledger) || ledger->choosing)
		CHECK(open && ledger->revealed == 0);
	else
		CHECK(ledger->round == 4 &&
		      open == ledger_owes_answers(ledger) &&
		      ledger->revealed == ledger->players - open);
	for (unsigned question = 1; question <= CHALLENGE_MAX; question++) {
		if (ledger_has(ledger, question) && ledger->revealed)
			CHECK(ledger->settled[question] ||
			      !ledger_agreed(ledger, question));
	}
}

/* What the use of a specialist waits for. */
static inline void check_use(const struct ledger *ledger,
                             const struct heist *heist)
{
	unsigned state = ledger->choosing      ? ABILITY_CHOOSING
	                 : ledger->announced   ? ABILITY_USED
	                 : ledger->is_proposed ? ABILITY_PROPOSED
	                                       : ABILITY_AVAILABLE;

	CHECK(heist->ability.state == state);
	CHECK(heist->ability.choosing == ledger->choosing);
	CHECK(state != ABILITY_PROPOSED ||
	      heist->ability.proposal.agreed == ledger->agreed);
	CHECK(!ledger->agreed || ledger->agreed != ledger_voters(ledger));
}

/* Of an abandoned heist there is no card and no chip any more. */
static inline void check_abandoned(const struct ledger *ledger,
                                   const struct heist *heist)
{
	struct heist empty = {
		.plan = heist->plan,
		.round = (uint8_t)ledger->round,
		.outcome = OUTCOME_ABANDONED,
	};

	ability_init(&empty.ability, ledger->specialist);
	CHECK(same_bytes(&empty, heist, sizeof(empty)));
}

static inline void check_heist(const struct ledger *ledger,
                               const struct heist *heist)
{
	CHECK(heist->plan.vacant == ledger->vacant);
	if (ledger->abandoned) {
		check_abandoned(ledger, heist);
		return;
	}
	CHECK(heist->outcome != OUTCOME_ABANDONED);
	check_chips(ledger, heist);
	check_pockets(ledger, heist);
	check_round(ledger, heist);
	check_use(ledger, heist);
}

/* --- views ---------------------------------------------------------------- */

static inline unsigned ledger_owing_answers(const struct ledger *ledger)
{
	unsigned all = ledger_answerers(ledger);
	unsigned owing = 0;

	for (unsigned question = 1; question <= CHALLENGE_MAX; question++) {
		unsigned missing = 0;

		if ((question != CHALLENGE_RETINA_SCAN &&
		     question != CHALLENGE_FINGERPRINT_SCAN) ||
		    !ledger_has(ledger, question) || ledger->settled[question])
			continue;
		for (unsigned seat = 1; seat <= ledger->players; seat++) {
			if (!ledger->answers[question][seat])
				missing |= all & 1U << seat;
		}
		/* If all have answered and disagree, all have to go on. */
		owing |= missing ? missing : all;
	}
	return owing;
}

/* The seats that owe something. */
static inline unsigned ledger_owing(const struct ledger *ledger)
{
	unsigned all = (2U << ledger->players) - 2;
	unsigned owing = all;

	if (ledger->abandoned)
		return 0;
	if (ledger->revealed)
		return ledger_owing_answers(ledger);
	if (ledger->choosing)
		return ledger->choosing;
	for (unsigned stars = 1; stars <= ledger->players; stars++)
		owing &= ~(1U << ledger->chips[ledger->round - 1][stars]);
	if (ledger->is_proposed)
		owing |= ledger_voters(ledger) & ~ledger->agreed;
	return owing;
}

/* What a seat is shown of cards that are not its own any more, or yet. */
static inline void check_remembered(const struct ledger *ledger,
                                    const struct gang_view *view)
{
	bool is_shown = view->seat && ledger->shown_to == view->seat;

	CHECK(view->shown_by == (is_shown ? ledger->shown_by : 0));
	CHECK(view->shown == (is_shown ? ledger->shown : 0));
	CHECK(set_of_pocket(&view->former) ==
	      set_of_pocket(&ledger->former[view->seat]));
	CHECK(set_of_pocket(&view->pocket) ==
	      set_of_pocket(&ledger->pockets[view->seat]));
}

/* The parts of a view of a seat or a spectator that are not the state's. */
static inline void check_view(const struct ledger *ledger,
                              const struct gang_view *view)
{
	bool over = ledger->abandoned || ledger->revealed == ledger->players;
	unsigned phase = over               ? PHASE_OVER
	                 : ledger->revealed ? PHASE_ANSWERING
	                 : ledger->choosing ? PHASE_CHOOSING
	                                    : PHASE_CHIPS;
	uint64_t options = 0;

	CHECK(view->phase == phase && view->round == ledger->round);
	CHECK(view->waiting_for == ledger_owing(ledger));
	CHECK(view->announcements_count == ledger->announced);
	CHECK(same_bytes(view->announcements, ledger->announcements,
	                 sizeof(ledger->announcements)));
	CHECK(view->showdown.reveals_count == ledger->revealed);
	check_remembered(ledger, view);

	bool chooses = ledger->choosing >> view->seat & 1;
	CHECK((view->choice.specialist != 0) == chooses);
	for (unsigned i = 0; i < view->choice.options_count; i++)
		options |= UINT64_C(1) << view->choice.options[i];
	if (!chooses || ledger->specialist == SPECIALIST_CON_ARTIST)
		CHECK(options == 0);
	else if (ledger->specialist == SPECIALIST_HACKER)
		CHECK((options & set_of_pocket(&view->pocket)) ==
		              set_of_pocket(&view->pocket) &&
		      __builtin_popcountll(options) == view->pocket.count + 1);
	else
		CHECK(options == set_of_pocket(&view->pocket));
	if (view->seat && ledger->vacant >> view->seat & 1)
		CHECK(view->legal_count == 0);
	else if (view->seat && view->waiting_for >> view->seat & 1)
		CHECK(view->legal_count > 0);
}

#endif
