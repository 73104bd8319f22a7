/*
 * A showdown begins when the last red chip is taken.  Without questions it ends
 * in the same action.  With questions all hands but the last are revealed, and
 * every voter but the owner of the last hand answers each question.  A question
 * is settled when all answers are the same; after the last question the last
 * hand is revealed and the heist judged.  A vacant seat has no answers.
 */
#include "games/gang/rules/showdown.h"

#include <assert.h>

#include "games/gang/rules/challenge.h"

void showdown_of_heist(const struct heist *heist, struct showdown *showdown)
{
	bool asks = heist_is_asking(heist);
	struct summary summary;

	summary_of_heist(heist, &summary);
	summary_reveal(&summary, summary.players - asks, showdown);
}

/* --- events --------------------------------------------------------------- */

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

/* --- steps ---------------------------------------------------------------- */

/* Set the outcome, after every hand is revealed and every question settled. */
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
	if (!heist_is_asking(heist))
		judge(heist, &showdown, events);
}

/* The voters but for the seat that the questions are about. */
static unsigned may_answer(const struct heist *heist)
{
	return heist_voters(heist) &
	       ~(1U << chips_top_holder(&heist->chips[COLOR_RED]));
}

static int find_question(const struct heist *heist, unsigned challenge)
{
	for (int i = 0; i < QUESTIONS_MAX; i++) {
		if (challenge && challenges_asking(heist->setup.challenges,
		                                   (unsigned)i) == challenge)
			return i;
	}
	return -1;
}

enum err showdown_check_answer(const struct heist *heist, struct answer answer)
{
	if (heist->outcome != OUTCOME_OPEN)
		return ERR_HEIST_OVER;
	if (!heist_is_asking(heist))
		return ERR_SHOWDOWN_NOT_REACHED;

	int at = find_question(heist, answer.challenge);
	if (at < 0 || heist->questions[at].agreed)
		return ERR_NOT_ALLOWED_NOW;
	if (!(may_answer(heist) >> answer.seat & 1))
		return ERR_NOT_YOURS_TO_ANSWER;
	/* An action may come from a log that somebody damaged. */
	enum value_kind kind = gang_challenge_get(answer.challenge)->asks;
	if (answer.value < 1 || answer.value > gang_value_max(kind) ||
	    heist->questions[at].answers[answer.seat - 1] == answer.value)
		return ERR_NOT_ALLOWED_NOW;
	return ERR_OK;
}

/* The value on which all who may answer agree; 0 if they do not. */
static unsigned agreed_on(const struct heist *heist,
                          const struct question *question)
{
	unsigned seats = may_answer(heist);
	unsigned value = 0;

	for (unsigned seat = 1; seat <= heist->setup.players; seat++) {
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
	unsigned challenge = challenges_asking(heist->setup.challenges, i);

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
	if (heist_is_asking(heist))
		return;

	struct showdown showdown;
	showdown_of_heist(heist, &showdown);
	emit_reveal(heist, &showdown.reveals[showdown.reveals_count - 1],
	            events);
	judge(heist, &showdown, events);
}

void showdown_answer(struct heist *heist, struct answer answer,
                     struct events *events)
{
	int at = find_question(heist, answer.challenge);
	assert(at >= 0); /* it was checked */
	struct question *question = &heist->questions[at];

	question->answers[answer.seat - 1] = answer.value;
	emit_question(heist, EVENT_ANSWER_GIVEN, answer.seat, answer.challenge,
	              answer.value, events);
	settle(heist, events);
}

void showdown_vacate(struct heist *heist, unsigned seat, struct events *events)
{
	if (!heist_is_asking(heist))
		return;
	/* The next player of the seat has not answered. */
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

		if (!challenges_asking(heist->setup.challenges, i) ||
		    question->agreed)
			continue;
		for (unsigned seat = 1; seat <= heist->setup.players; seat++) {
			if (!question->answers[seat - 1])
				missing |= 1U << seat;
		}
		/* If all have answered and disagree, all must answer again. */
		owing |= missing & all ? missing & all : all;
	}
	return owing;
}
