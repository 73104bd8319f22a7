#include "gang/showdown.h"

#include <assert.h>
#include <string.h>

#include "gang/challenge.h"
#include "gang/heist.h"
#include "gang/specialist.h"

static enum value_kind kind_asked(unsigned challenge)
{
	return challenge ? gang_challenge_get(challenge)->asks : VALUE_NONE;
}

unsigned showdown_asking(uint16_t challenges, unsigned i)
{
	unsigned number = challenges_next(challenges, 0);

	for (; number; number = challenges_next(challenges, number)) {
		if (kind_asked(number) != VALUE_NONE && i-- == 0)
			return number;
	}
	return 0;
}

/* Whose hand is revealed last, and asked about before. */
static unsigned last_seat(const struct chips *red)
{
	return chips_holder(red, red->count);
}

/* --- what lies on the table ----------------------------------------------- */

void showdown_summarize(const struct heist *heist, struct summary *summary)
{
	const struct ability *ability = &heist->ability;

	*summary = (struct summary){
		.number = heist->plan.number,
		.players = heist->plan.players,
		.outcome = heist->outcome,
		.challenges = heist->plan.challenges,
		.permanent = heist->plan.permanent,
		.specialist = heist->plan.specialist,
		.used_by = ability->state == ABILITY_USED
		                   ? ability->proposal.seat
		                   : 0,
		.red = heist->chips[COLOR_RED],
	};
	memcpy(summary->community, heist->community,
	       sizeof(summary->community));
	memcpy(summary->pockets, heist->pockets, sizeof(summary->pockets));
	memcpy(summary->questions, heist->questions,
	       sizeof(summary->questions));
}

/* What counts when hands are compared. */
static uint32_t strength_of(const struct summary *summary,
                            const struct reveal *reveal)
{
	bool is_strengthened =
		summary->specialist && summary->used_by == reveal->seat &&
		gang_specialist_get(summary->specialist)->strengthens;

	return is_strengthened ? hand_value_above_ranking(reveal->hand.value)
	                       : reveal->hand.value;
}

/* Reveal the hands with 1..count red stars. */
static void reveal_hands(const struct summary *summary, unsigned count,
                         struct showdown *showdown)
{
	uint32_t strongest = 0;

	showdown->reveals_count = (uint8_t)count;
	for (unsigned stars = 1; stars <= count; stars++) {
		struct reveal *reveal = &showdown->reveals[stars - 1];
		unsigned seat = chips_holder(&summary->red, stars);

		reveal->seat = (uint8_t)seat;
		reveal->stars = (uint8_t)stars;
		reveal->pocket = summary->pockets[seat - 1];
		reveal->hand = pocket_hand(&reveal->pocket, summary->community,
		                           COMMUNITY_MAX);

		uint32_t strength = strength_of(summary, reveal);
		reveal->in_order = strength >= strongest;
		if (reveal->in_order)
			strongest = strength;
	}
}

static enum right judge_answer(const struct summary *summary,
                               const struct asked *asked,
                               const struct reveal *last)
{
	const struct challenge *row = gang_challenge_get(asked->challenge);
	const struct pocket *pocket = &summary->pockets[asked->about_seat - 1];

	return row->confirms(pocket, &last->hand, asked->question.agreed)
	               ? RIGHT_YES
	               : RIGHT_NO;
}

static void ask(const struct summary *summary, struct showdown *showdown)
{
	bool is_judged = showdown->reveals_count == summary->players;

	for (unsigned i = 0; i < QUESTIONS_MAX; i++) {
		struct asked *asked = &showdown->asked[showdown->asked_count];
		unsigned number = showdown_asking(summary->challenges, i);

		if (!number)
			return;
		asked->challenge = (uint8_t)number;
		asked->about_seat = (uint8_t)last_seat(&summary->red);
		asked->question = summary->questions[i];
		if (is_judged)
			asked->right = (uint8_t)judge_answer(
				summary, asked,
				&showdown->reveals[summary->players - 1]);
		showdown->asked_count++;
	}
}

static void lay_out(const struct summary *summary, unsigned reveals,
                    struct showdown *showdown)
{
	*showdown = (struct showdown){
		.heist = summary->number,
		.outcome = summary->outcome,
	};
	reveal_hands(summary, reveals, showdown);
	ask(summary, showdown);
}

void showdown_of_summary(const struct summary *summary,
                         struct showdown *showdown)
{
	lay_out(summary, summary->players, showdown);
}

void showdown_of_heist(const struct heist *heist, struct showdown *showdown)
{
	bool asks = showdown_is_asking(heist);
	struct summary summary;

	showdown_summarize(heist, &summary);
	lay_out(&summary, summary.players - asks, showdown);
}

/* --- telling -------------------------------------------------------------- */

static void emit_reveal(const struct heist *heist, const struct reveal *reveal,
                        struct events *events)
{
	struct event *event = heist_emit_round(heist, EVENT_HAND_REVEALED,
	                                       reveal->seat, events);

	event_put_public(event, reveal->stars);
	event_put_public(event, reveal->in_order);
	event_put_public(event, reveal->hand.ranking);
	event_put_public(event, reveal->pocket.count);
	for (unsigned i = 0; i < reveal->pocket.count; i++)
		event_put_public(event, reveal->pocket.cards[i]);
	for (unsigned i = 0; i < reveal->hand.best_count; i++)
		event_put_public(event, reveal->hand.best[i]);
}

static void emit_question(const struct heist *heist, unsigned type,
                          unsigned seat, unsigned challenge, unsigned what,
                          struct events *events)
{
	struct event *event = heist_emit_round(heist, type, seat, events);

	event_put_public(event, challenge);
	event_put_public(event, what);
}

/* --- its course ----------------------------------------------------------- */

/* Every hand is revealed, every question answered. */
static void judge(struct heist *heist, const struct showdown *showdown,
                  struct events *events)
{
	bool good = true;

	for (unsigned i = 0; i < showdown->reveals_count; i++)
		good = good && showdown->reveals[i].in_order;
	for (unsigned i = 0; i < showdown->asked_count; i++) {
		const struct asked *asked = &showdown->asked[i];
		bool right = asked->right == RIGHT_YES;

		emit_question(heist, EVENT_QUESTION_JUDGED, 0, asked->challenge,
		              right, events);
		good = good && right;
	}
	heist->outcome = good ? OUTCOME_SUCCEEDED : OUTCOME_FAILED;
}

void showdown_begin(struct heist *heist, struct events *events)
{
	struct showdown showdown;

	showdown_of_heist(heist, &showdown);
	for (unsigned i = 0; i < showdown.reveals_count; i++)
		emit_reveal(heist, &showdown.reveals[i], events);
	if (!showdown_is_asking(heist))
		judge(heist, &showdown, events);
}

static bool is_begun(const struct heist *heist)
{
	return heist->outcome != OUTCOME_OPEN ||
	       (heist->round == HEIST_ROUNDS && !heist->ability.choosing &&
	        chips_settled(&heist->chips[COLOR_RED]));
}

bool showdown_is_asking(const struct heist *heist)
{
	if (heist->outcome != OUTCOME_OPEN || !is_begun(heist))
		return false;
	for (unsigned i = 0; i < QUESTIONS_MAX; i++) {
		if (showdown_asking(heist->plan.challenges, i) &&
		    !heist->questions[i].agreed)
			return true;
	}
	return false;
}

/* All but the one who is asked about. */
static unsigned may_answer(const struct heist *heist)
{
	return heist_voters(heist) &
	       ~(1U << last_seat(&heist->chips[COLOR_RED]));
}

static int find_question(const struct heist *heist, unsigned challenge)
{
	for (int i = 0; i < QUESTIONS_MAX; i++) {
		if (challenge && showdown_asking(heist->plan.challenges,
		                                 (unsigned)i) == challenge)
			return i;
	}
	return -1;
}

enum err showdown_check_answer(const struct heist *heist,
                               const struct answer *answer)
{
	if (heist->outcome != OUTCOME_OPEN)
		return ERR_HEIST_OVER;
	if (!showdown_is_asking(heist))
		return ERR_SHOWDOWN_NOT_REACHED;

	int at = find_question(heist, answer->challenge);
	if (at < 0 || heist->questions[at].agreed)
		return ERR_NOT_ALLOWED_NOW;
	if (!(may_answer(heist) >> answer->seat & 1))
		return ERR_NOT_YOURS_TO_ANSWER;
	/* An action may come from a log that somebody damaged. */
	if (answer->value < 1 ||
	    answer->value > gang_value_max(kind_asked(answer->challenge)) ||
	    heist->questions[at].answers[answer->seat - 1] == answer->value)
		return ERR_NOT_ALLOWED_NOW;
	return ERR_OK;
}

/* What all who may answer say; 0 if they do not say the same. */
static unsigned agreed_on(const struct heist *heist,
                          const struct question *question)
{
	unsigned seats = may_answer(heist);
	unsigned value = 0;

	for (unsigned seat = 1; seat <= heist->plan.players; seat++) {
		unsigned answer = question->answers[seat - 1];

		if (!(seats >> seat & 1))
			continue;
		if (!answer || (value && answer != value))
			return 0;
		value = answer;
	}
	return value;
}

static void settle_question(struct heist *heist, unsigned i,
                            struct events *events)
{
	struct question *question = &heist->questions[i];
	unsigned challenge = showdown_asking(heist->plan.challenges, i);

	if (!challenge || question->agreed)
		return;
	question->agreed = (uint8_t)agreed_on(heist, question);
	if (question->agreed)
		emit_question(heist, EVENT_QUESTION_SETTLED, 0, challenge,
		              question->agreed, events);
}

static void settle(struct heist *heist, struct events *events)
{
	for (unsigned i = 0; i < QUESTIONS_MAX; i++)
		settle_question(heist, i, events);
	if (showdown_is_asking(heist))
		return;

	struct showdown showdown;
	showdown_of_heist(heist, &showdown);
	emit_reveal(heist, &showdown.reveals[showdown.reveals_count - 1],
	            events);
	judge(heist, &showdown, events);
}

void showdown_answer(struct heist *heist, const struct answer *answer,
                     struct events *events)
{
	int at = find_question(heist, answer->challenge);
	assert(at >= 0); /* it was checked */
	struct question *question = &heist->questions[at];

	question->answers[answer->seat - 1] = answer->value;
	emit_question(heist, EVENT_ANSWER_GIVEN, answer->seat,
	              answer->challenge, answer->value, events);
	settle(heist, events);
}

void showdown_vacate(struct heist *heist, unsigned seat, struct events *events)
{
	if (!showdown_is_asking(heist))
		return;
	/* Who takes the seat over has said nothing. */
	for (unsigned i = 0; i < QUESTIONS_MAX; i++) {
		if (!heist->questions[i].agreed)
			heist->questions[i].answers[seat - 1] = 0;
	}
	settle(heist, events);
}

unsigned showdown_waiting_for(const struct heist *heist)
{
	unsigned all = may_answer(heist);
	unsigned owing = 0;

	for (unsigned i = 0; i < QUESTIONS_MAX; i++) {
		const struct question *question = &heist->questions[i];
		unsigned missing = 0;

		if (!showdown_asking(heist->plan.challenges, i) ||
		    question->agreed)
			continue;
		for (unsigned seat = 1; seat <= heist->plan.players; seat++) {
			if (!question->answers[seat - 1])
				missing |= 1U << seat;
		}
		/* When all have answered and disagree, it is up to all. */
		owing |= missing & all ? missing & all : all;
	}
	return owing;
}

/* --- what must always hold ----------------------------------------------- */

static bool question_valid(const struct question *question, unsigned challenge,
                           unsigned players, unsigned about_seat)
{
	unsigned max = gang_value_max(kind_asked(challenge));
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

static bool questions_valid(const struct question *questions,
                            uint16_t challenges, unsigned players,
                            unsigned about_seat)
{
	for (unsigned i = 0; i < QUESTIONS_MAX; i++) {
		if (!question_valid(&questions[i],
		                    showdown_asking(challenges, i), players,
		                    about_seat))
			return false;
	}
	return true;
}

static bool none_answered(const struct heist *heist)
{
	static const struct question none[QUESTIONS_MAX];

	return memcmp(heist->questions, none, sizeof(none)) == 0;
}

static bool all_agreed(const struct question *questions, uint16_t challenges)
{
	for (unsigned i = 0; i < QUESTIONS_MAX; i++) {
		if (showdown_asking(challenges, i) && !questions[i].agreed)
			return false;
	}
	return true;
}

/* While a question is open, who has left has said nothing. */
static bool leavers_are_silent(const struct heist *heist)
{
	for (unsigned i = 0; i < QUESTIONS_MAX; i++) {
		const struct question *question = &heist->questions[i];

		for (unsigned seat = 1; seat <= heist->plan.players; seat++) {
			if (!question->agreed &&
			    heist->plan.vacant >> seat & 1 &&
			    question->answers[seat - 1])
				return false;
		}
	}
	return true;
}

bool showdown_valid(const struct heist *heist)
{
	uint16_t challenges = heist->plan.challenges;
	bool agreed = all_agreed(heist->questions, challenges);

	if (!is_begun(heist))
		return none_answered(heist);
	/* With the last answer it is over. */
	return (heist->outcome != OUTCOME_OPEN) == agreed &&
	       leavers_are_silent(heist) &&
	       questions_valid(heist->questions, challenges,
	                       heist->plan.players,
	                       last_seat(&heist->chips[COLOR_RED]));
}

static bool cards_valid(const struct summary *summary)
{
	uint64_t seen = 0;

	return pockets_mark(summary->pockets, summary->players,
	                    challenges_pocket_cards(summary->challenges),
	                    &seen) &&
	       cards_mark(summary->community, COMMUNITY_MAX, CARD_DECK_COUNT,
	                  &seen);
}

bool summary_valid(const struct summary *summary)
{
	if (summary->players < 1 || summary->players > HEIST_PLAYERS_MAX ||
	    (summary->outcome != OUTCOME_SUCCEEDED &&
	     summary->outcome != OUTCOME_FAILED) ||
	    !challenges_exist(summary->challenges) ||
	    summary->permanent & ~summary->challenges ||
	    (summary->specialist && !specialist_exists(summary->specialist)) ||
	    summary->used_by > summary->players)
		return false;
	return summary->red.count == summary->players &&
	       chips_valid(&summary->red) && chips_settled(&summary->red) &&
	       all_agreed(summary->questions, summary->challenges) &&
	       questions_valid(summary->questions, summary->challenges,
	                       summary->players, last_seat(&summary->red)) &&
	       cards_valid(summary);
}
