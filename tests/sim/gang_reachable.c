/*
 * gang_reachable.c - what holds of every state that play comes to.
 *
 * gang_valid() says what the rules rely on: bounds, and each card in one place.
 * The rest follows from how the game is played: which chips are settled in
 * which round, what a specialist leaves behind at each step of its use, which
 * answers end a showdown, that the score is that of the ended heists.  The
 * rules need not check that of a state they read, for a checksum finds
 * accidental damage; the simulation checks it of every state.
 */
#include "gang_reachable.h"

#include <string.h>

#include "games/gang/rules/challenge.h"
#include "games/gang/rules/specialist.h"

static unsigned bit(unsigned seat)
{
	return 1U << seat;
}

/* --- a specialist --------------------------------------------------------- */

/* While a use is proposed only voters have agreed, and never all of them. */
static bool agreed_is_reachable(const struct heist *heist)
{
	unsigned agreed = heist->ability.proposal.agreed;
	unsigned voters = heist_voters(heist);

	if (heist->ability.state != ABILITY_PROPOSED)
		return !(agreed & ~heist_seats(heist));
	return !(agreed & ~voters) && (!voters || agreed != voters);
}

static bool proposal_is_reachable(const struct heist *heist)
{
	const struct ability *ability = &heist->ability;
	const struct proposal *proposal = &ability->proposal;

	if (ability->state == ABILITY_AVAILABLE ||
	    specialist_of(heist)->is_automatic)
		return !proposal->by && !proposal->seat && !proposal->target &&
		       !proposal->value && !proposal->agreed;
	return proposal->by >= 1 && proposal->by <= heist->setup.players &&
	       !ability_fault_of_propose(heist, *proposal).member &&
	       agreed_is_reachable(heist);
}

/* If all lay a card out before any is passed, each chooser has laid one out. */
static bool choices_are_reachable(const struct heist *heist)
{
	const struct ability *ability = &heist->ability;
	const struct specialist *row = specialist_of(heist);
	bool lays_out = ability->state == ABILITY_CHOOSING && row->choose &&
	                row->choosers == CHOOSER_ALL;

	for (unsigned i = 0; i < HEIST_PLAYERS_MAX; i++) {
		bool has_chosen = heist_seats(heist) &
		                  ~(unsigned)ability->choosing & bit(i + 1);

		if ((ability->laid_out[i] != CARD_NONE) !=
		    (lays_out && has_chosen))
			return false;
	}
	return true;
}

static bool memories_are_reachable(const struct heist *heist)
{
	const struct ability *ability = &heist->ability;
	const struct specialist *row = specialist_of(heist);
	bool used = ability->state == ABILITY_USED;
	bool looked = used && row->choosers == CHOOSER_ALL && !row->choose;

	if ((ability->shown != CARD_NONE) != (used && row->asks_target))
		return false;
	for (unsigned i = 0; i < HEIST_PLAYERS_MAX; i++) {
		unsigned count = looked && i < heist->setup.players
		                         ? heist->pockets[i].count
		                         : 0;

		if (ability->former[i].count != count)
			return false;
	}
	return true;
}

static unsigned announced(const struct heist *heist)
{
	const struct specialist *row = specialist_of(heist);

	if (heist->ability.state < ABILITY_CHOOSING)
		return 0;
	return row->is_automatic && row->announce ? heist->setup.players : 1;
}

static bool announcements_are_reachable(const struct heist *heist)
{
	const struct ability *ability = &heist->ability;

	if (ability->announcements_count != announced(heist))
		return false;
	for (unsigned i = 0; i < ability->announcements_count; i++) {
		const struct announcement *of = &ability->announcements[i];

		if (of->seat > heist->setup.players ||
		    of->target > heist->setup.players ||
		    of->value > gang_value_max(specialist_of(heist)->announces))
			return false;
	}
	return true;
}

static bool ability_is_reachable(const struct heist *heist)
{
	const struct ability *ability = &heist->ability;

	if (ability->specialist != heist->setup.specialist)
		return false;
	if (!ability->specialist)
		return ability->state == ABILITY_AVAILABLE &&
		       !ability->choosing && ability->drawn == CARD_NONE &&
		       !ability->announcements_count;
	if (specialist_of(heist)->is_automatic &&
	    ability->state < ABILITY_CHOOSING)
		return false;
	return proposal_is_reachable(heist) && choices_are_reachable(heist) &&
	       memories_are_reachable(heist) &&
	       announcements_are_reachable(heist);
}

/* --- questions ------------------------------------------------------------ */

static bool question_is_reachable(const struct question *question,
                                  unsigned challenge, unsigned players,
                                  unsigned about_seat)
{
	unsigned max = gang_value_max(
		challenge ? gang_challenge_get(challenge)->asks : VALUE_NONE);
	bool was_said = false;

	for (unsigned i = 0; i < HEIST_PLAYERS_MAX; i++) {
		unsigned answer = question->answers[i];

		if (answer > max ||
		    (answer && (i >= players || i + 1 == about_seat)) ||
		    (answer && question->agreed && answer != question->agreed))
			return false;
		was_said = was_said || answer == question->agreed;
	}
	/* Those who had left said nothing. */
	return !question->agreed || was_said;
}

static bool questions_are_reachable(const struct question *questions,
                                    uint16_t challenges, unsigned players,
                                    const struct chips *red)
{
	for (unsigned i = 0; i < QUESTIONS_MAX; i++) {
		if (!question_is_reachable(&questions[i],
		                           challenges_asking(challenges, i),
		                           players, chips_top_holder(red)))
			return false;
	}
	return true;
}

static bool none_answered(const struct heist *heist)
{
	static const struct question none[QUESTIONS_MAX];

	return memcmp(heist->questions, none, sizeof(none)) == 0;
}

/* While a question is open, who has left has said nothing. */
static bool leavers_are_silent(const struct heist *heist)
{
	for (unsigned i = 0; i < QUESTIONS_MAX; i++) {
		const struct question *question = &heist->questions[i];

		for (unsigned seat = 1; seat <= heist->setup.players; seat++) {
			if (!question->agreed &&
			    heist->setup.vacant >> seat & 1 &&
			    question->answers[seat - 1])
				return false;
		}
	}
	return true;
}

/* With the last answer it is over; nothing is proposed or chosen in it. */
static bool showdown_is_reachable(const struct heist *heist)
{
	bool is_over = heist->outcome != OUTCOME_OPEN;
	const struct heist_setup *setup = &heist->setup;

	if (!heist_has_showdown(heist))
		return none_answered(heist);
	return is_over ==
	               questions_agreed(heist->questions, setup->challenges) &&
	       heist->ability.state != ABILITY_PROPOSED &&
	       !heist->ability.choosing && leavers_are_silent(heist) &&
	       questions_are_reachable(heist->questions, setup->challenges,
	                               setup->players,
	                               &heist->chips[COLOR_RED]);
}

/* --- a heist -------------------------------------------------------------- */

/* Nothing that anybody held is left of a heist that was abandoned. */
static bool nothing_is_left(const struct heist *heist)
{
	int left = heist->community_count + heist->deck_count +
	           heist->discards_count + heist->ability.choosing +
	           heist->confirmed + heist->ability.announcements_count;

	for (unsigned i = 0; i < HEIST_PLAYERS_MAX; i++)
		left += heist->pockets[i].count +
		        heist->ability.former[i].count;
	for (unsigned color = 0; color < COLOR_COUNT; color++)
		left += heist->chips[color].count;
	return left == 0 && heist->ability.state == ABILITY_AVAILABLE &&
	       heist->ability.drawn == CARD_NONE &&
	       heist->ability.shown == CARD_NONE;
}

/*
 * While a round goes on some player has not confirmed it, unless nobody is
 * there; a vacant seat has never done so.  In the showdown all seats are set.
 */
static bool confirmed_is_reachable(const struct heist *heist)
{
	unsigned voters = heist_voters(heist);

	if (!heist->setup.confirms)
		return !heist->confirmed;
	if (heist->outcome != OUTCOME_OPEN || heist_is_asking(heist))
		return heist->confirmed == heist_seats(heist);
	return !(heist->confirmed & ~voters) &&
	       (!voters || heist->confirmed != voters);
}

/* The chips of the present round are settled only while something is due. */
static bool color_is_reachable(const struct heist *heist, unsigned color)
{
	const struct chips *chips = &heist->chips[color];

	if (color + 1 != heist->round || heist->outcome != OUTCOME_OPEN)
		return chips_settled(chips);
	return !chips_settled(chips) || heist->ability.choosing ||
	       heist_is_asking(heist) || heist->setup.confirms;
}

static bool heist_is_reachable(const struct heist *heist)
{
	const struct heist_setup *setup = &heist->setup;

	if (setup->deal < setup->number ||
	    challenges_skip_round(setup->challenges, heist->round))
		return false;
	if (heist->outcome == OUTCOME_ABANDONED)
		return nothing_is_left(heist);
	for (unsigned color = 0; color < COLOR_COUNT; color++) {
		if (!color_is_reachable(heist, color))
			return false;
	}
	return confirmed_is_reachable(heist) && ability_is_reachable(heist) &&
	       showdown_is_reachable(heist);
}

/* --- a game --------------------------------------------------------------- */

static bool summary_is_reachable(const struct summary *summary)
{
	return challenges_exist(summary->challenges) &&
	       !(summary->permanent & ~summary->challenges) &&
	       summary->used_by <= summary->players &&
	       summary->red.count == summary->players &&
	       questions_agreed(summary->questions, summary->challenges) &&
	       questions_are_reachable(summary->questions, summary->challenges,
	                               summary->players, &summary->red);
}

static bool score_is_reachable(const struct gang *gang)
{
	unsigned won = gang->heist.outcome == OUTCOME_SUCCEEDED;

	for (unsigned i = 0; i < gang->ended_count; i++) {
		if (gang->ended[i].number != i + 1 ||
		    gang->ended[i].players != gang->players ||
		    !summary_is_reachable(&gang->ended[i]))
			return false;
		won += gang->ended[i].outcome == OUTCOME_SUCCEEDED;
	}
	return gang->vaults == won;
}

static bool closed_deals_are_reachable(const struct gang *gang)
{
	for (unsigned i = 0; i < GANG_PLAYERS_MAX; i++) {
		if (gang->closed_deals[i] > gang->heist.setup.deal ||
		    (i >= gang->players && gang->closed_deals[i]))
			return false;
	}
	return true;
}

/* The lowest cards: all, or as many as there were in an earlier release. */
static bool cards_are_reachable(const struct stack *stack, uint16_t all)
{
	enum { FIRST_RELEASE = (2 << 10) - 2 };

	return !(stack->all & ~all) &&
	       (stack->all & FIRST_RELEASE) == FIRST_RELEASE &&
	       !((stack->all + 2) & stack->all);
}

bool gang_reachable(const struct gang *gang)
{
	if (!gang_valid(gang) ||
	    !cards_are_reachable(&gang->challenges, ALL_CHALLENGES) ||
	    !cards_are_reachable(&gang->specialists, ALL_SPECIALISTS))
		return false;
	if (gang->players == 0)
		return gang->vaults == 0 && gang->alarms == 0 &&
		       gang->heist.setup.number == 0 && gang->ended_count == 0;
	return gang->heist.setup.number == gang->ended_count + 1 &&
	       closed_deals_are_reachable(gang) &&
	       heist_is_reachable(&gang->heist) && score_is_reachable(gang);
}
