/*
 * gang_reference_check.c - compares the rules' state with the reference model.
 *
 * Every member of a heist that the model knows is compared, and of a view what
 * is computed for it: the phase, the seats that are waited for, the options of
 * a choice, the cards that a seat remembers.
 */
#include "gang_reference_check.h"

/* --- the state ------------------------------------------------------------ */

/* Under Blackout only the chips of the round are left. */
static void check_chips(const struct model *model, const struct heist *heist)
{
	for (unsigned color = 0; color < COLOR_COUNT; color++) {
		const struct chips *chips = &heist->chips[color];
		bool skipped = (color == COLOR_WHITE &&
		                model_has(model, CHALLENGE_QUICK_ACCESS)) ||
		               (color == COLOR_ORANGE &&
		                model_has(model, CHALLENGE_HASTY_GETAWAY));
		bool gone = color + 1 < model->round &&
		            model_has(model, CHALLENGE_BLACKOUT);

		if (skipped || gone || color + 1 > model->round) {
			CHECK(chips->count == 0);
			for (unsigned i = 0; i < CHIPS_MAX; i++)
				CHECK(chips->holder[i] == 0);
			continue;
		}
		CHECK(chips->count == model->players);
		for (unsigned stars = 1; stars <= chips->count; stars++)
			CHECK(chips_holder(chips, stars) ==
			      model->chips[color][stars]);
	}
}

static void check_pockets(const struct model *model, const struct heist *heist)
{
	for (unsigned seat = 1; seat <= model->players; seat++) {
		CHECK(heist->pockets[seat - 1].count ==
		      model->pockets[seat].count);
		CHECK(pocket_set(&heist->pockets[seat - 1]) ==
		      pocket_set(&model->pockets[seat]));
	}
	CHECK(heist->community_count == model->community_count);
	CHECK(same_bytes(heist->community, model->community,
	                 model->community_count));
}

/*
 * The confirmations of a round that goes on are those of its players, and not
 * of all; those of the last round stay, for all seats.
 */
static void check_confirmed(const struct model *model,
                            const struct heist *heist)
{
	unsigned all = (2U << model->players) - 2;
	unsigned voters = model_voters(model);

	CHECK(heist->setup.confirms == model->confirms);
	CHECK(heist->confirmed ==
	      (model->confirms && model->revealed ? all : model->confirmed));
	CHECK(!voters || model->confirmed != voters);
}

/*
 * A round ends at once, or when all have confirmed it; no chip is moved while a
 * choice is due.
 */
static void check_round(const struct model *model, const struct heist *heist)
{
	bool open = heist->outcome == OUTCOME_OPEN;

	CHECK(heist->round == model->round);
	CHECK(!model->redraw_by);
	if (!model_is_settled(model) || model->choosing ||
	    (model->confirms && !model->revealed))
		CHECK(open && model->revealed == 0);
	else
		CHECK(model->round == 4 && open == model_owes_answers(model) &&
		      model->revealed == model->players - open);
	for (unsigned question = 1; question <= CHALLENGE_MAX; question++) {
		if (model_has(model, question) && model->revealed)
			CHECK(model->settled[question] ||
			      !model_agreed(model, question));
	}
}

/* Check the state of the specialist's ability. */
static void check_use(const struct model *model, const struct heist *heist)
{
	unsigned state = model->choosing      ? ABILITY_CHOOSING
	                 : model->announced   ? ABILITY_USED
	                 : model->is_proposed ? ABILITY_PROPOSED
	                                      : ABILITY_AVAILABLE;

	CHECK(heist->ability.state == state);
	CHECK(heist->ability.choosing == model->choosing);
	CHECK(state != ABILITY_PROPOSED ||
	      heist->ability.proposal.agreed == model->agreed);
	CHECK(!model->agreed || model->agreed != model_voters(model));
}

/* An abandoned heist has no card and no chip any more. */
static void check_abandoned(const struct model *model,
                            const struct heist *heist)
{
	struct heist empty = {
		.setup = heist->setup,
		.round = (uint8_t)model->round,
		.outcome = OUTCOME_ABANDONED,
	};

	heist_reset_ability(&empty);
	CHECK(empty.ability.specialist == model->specialist);
	CHECK(same_bytes(&empty, heist, sizeof(empty)));
}

void model_check_heist(const struct model *model, const struct heist *heist)
{
	CHECK(heist->setup.vacant == model->vacant);
	if (model->abandoned) {
		check_abandoned(model, heist);
		return;
	}
	CHECK(heist->outcome != OUTCOME_ABANDONED);
	check_chips(model, heist);
	check_pockets(model, heist);
	check_round(model, heist);
	check_confirmed(model, heist);
	check_use(model, heist);
}

/* --- views ---------------------------------------------------------------- */

static unsigned model_owing_answers(const struct model *model)
{
	unsigned all = model_answerers(model);
	unsigned owing = 0;

	for (unsigned question = 1; question <= CHALLENGE_MAX; question++) {
		unsigned missing = 0;

		if ((question != CHALLENGE_RETINA_SCAN &&
		     question != CHALLENGE_FINGERPRINT_SCAN) ||
		    !model_has(model, question) || model->settled[question])
			continue;
		for (unsigned seat = 1; seat <= model->players; seat++) {
			if (!model->answers[question][seat])
				missing |= all & 1U << seat;
		}
		/* If all have answered and disagree, all have to go on. */
		owing |= missing ? missing : all;
	}
	return owing;
}

/* The seats that owe something. */
static unsigned model_owing(const struct model *model)
{
	unsigned all = (2U << model->players) - 2;
	unsigned owing = all;

	if (model->abandoned)
		return 0;
	if (model->revealed)
		return model_owing_answers(model);
	if (model->choosing)
		return model->choosing;
	for (unsigned stars = 1; stars <= model->players; stars++)
		owing &= ~(1U << model->chips[model->round - 1][stars]);
	if (!owing && model->confirms)
		owing = model_voters(model) & ~model->confirmed;
	if (model->is_proposed)
		owing |= model_voters(model) & ~model->agreed;
	return owing;
}

/* Check the shown and former cards of a seat's view. */
static void check_remembered(const struct model *model,
                             const struct gang_view *view)
{
	bool is_shown = view->seat && model->shown_to == view->seat;

	CHECK(view->shown_by == (is_shown ? model->shown_by : 0));
	CHECK(view->shown == (is_shown ? model->shown : 0));
	CHECK(pocket_set(&view->former) ==
	      pocket_set(&model->former[view->seat]));
	CHECK(pocket_set(&view->pocket) ==
	      pocket_set(&model->pockets[view->seat]));
}

void model_check_view(const struct model *model, const struct gang_view *view)
{
	bool over = model->abandoned || model->revealed == model->players;
	unsigned phase = over              ? PHASE_OVER
	                 : model->revealed ? PHASE_ANSWERING
	                 : model->choosing ? PHASE_CHOOSING
	                                   : PHASE_CHIPS;
	uint64_t options = 0;

	CHECK(view->phase == phase && view->round == model->round);
	CHECK(view->waiting_for == model_owing(model));
	CHECK(view->confirmed == (phase == PHASE_CHIPS ? model->confirmed : 0));
	CHECK(view->announcements_count == model->announced);
	CHECK(same_bytes(view->announcements, model->announcements,
	                 sizeof(model->announcements)));
	CHECK(view->showdown.reveals_count == model->revealed);
	check_remembered(model, view);

	bool chooses = model->choosing >> view->seat & 1;
	CHECK((view->choice.specialist != 0) == chooses);
	for (unsigned i = 0; i < view->choice.options_count; i++)
		options |= UINT64_C(1) << view->choice.options[i];
	if (!chooses || model->specialist == SPECIALIST_CON_ARTIST)
		CHECK(options == 0);
	else if (model->specialist == SPECIALIST_HACKER)
		CHECK((options & pocket_set(&view->pocket)) ==
		              pocket_set(&view->pocket) &&
		      __builtin_popcountll(options) == view->pocket.count + 1);
	else
		CHECK(options == pocket_set(&view->pocket));
	if (view->seat && model->vacant >> view->seat & 1)
		CHECK(view->legal_count == 0);
	else if (view->seat && view->waiting_for >> view->seat & 1)
		CHECK(view->legal_count > 0);
}
