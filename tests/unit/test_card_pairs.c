/*
 * test_card_pairs.c - every card by itself, and every two that can be active at
 * the same time: a challenge with another, or with a specialist who is used in
 * each of the rounds.  Four players play a heist to its end, and the test
 * checks all along that each card has its effect, whatever the other one does.
 */
#include <stdio.h>
#include <string.h>

#include "gang_play.h"

/* Which cards; 0 for none.  In which round the specialist is used. */
struct pair {
	char name[48];
	unsigned challenges[2];
	unsigned specialist;
	unsigned round;
	bool rightly;
};

static bool has(const struct pair *pair, unsigned challenge)
{
	return pair->challenges[0] == challenge ||
	       pair->challenges[1] == challenge;
}

static void open_pair(struct play *play, const struct pair *pair)
{
	char script[64];
	size_t len = (size_t)sprintf(script, "t4");

	for (unsigned i = 0; i < ARRAY_LEN(pair->challenges); i++) {
		if (pair->challenges[i])
			len += (size_t)sprintf(script + len, " x%u",
			                       pair->challenges[i]);
	}
	if (pair->specialist)
		(void)sprintf(script + len, " s%u", pair->specialist);
	play_open(play);
	play_on(play, script);
}

/* --- what a round looks like ---------------------------------------------- */

/* The round after this one that has chips; 5 for the showdown. */
static unsigned round_after(const struct pair *pair, unsigned round)
{
	round++;
	if ((round == 1 && has(pair, CHALLENGE_QUICK_ACCESS)) ||
	    (round == 3 && has(pair, CHALLENGE_HASTY_GETAWAY)))
		round++;
	return round;
}

static void check_chips(const struct play *play, const struct pair *pair,
                        unsigned round)
{
	const struct heist *heist = &play->gang.heist;

	assert_int_equal(heist->round, round);
	for (unsigned i = 1; i <= COLOR_COUNT; i++) {
		bool skipped = (i == 1 && has(pair, CHALLENGE_QUICK_ACCESS)) ||
		               (i == 3 && has(pair, CHALLENGE_HASTY_GETAWAY));
		bool hidden = i < round && has(pair, CHALLENGE_BLACKOUT);
		bool shown = i <= round && !skipped && !hidden;

		assert_int_equal(heist->chips[i - 1].count, shown ? 4 : 0);
	}
}

/* A chip is stolen, or not; at the end its first owner has it. */
static void check_lock(struct play *play, char owner, char thief,
                       unsigned stars, bool is_locked)
{
	const char take[] = { owner, (char)('0' + stars), '\0' };
	const char steal[] = { thief, (char)('0' + stars), '\0' };

	play_on(play, take);
	play_on(play, steal);
	if (is_locked) {
		assert_int_equal(play->last, ERR_CHIP_LOCKED);
		play->last = ERR_OK;
	} else {
		assert_int_equal(play->last, ERR_OK);
		play_on(play, take);
		assert_int_equal(play->last, ERR_OK);
	}
}

/* --- what the flop does --------------------------------------------------- */

static bool has_face(const struct heist *heist)
{
	bool found = false;

	for (unsigned i = 0; i < 3; i++)
		found = found || strchr("JQK", *card_text(heist->community[i]));
	return found;
}

/* A has the lowest white chip, D the highest. */
static unsigned draws_anew(const struct play *play, const struct pair *pair)
{
	if (has(pair, CHALLENGE_QUICK_ACCESS))
		return 0;
	if (has(pair, CHALLENGE_MOTION_DETECTOR) && has_face(&play->gang.heist))
		return 1;
	if (has(pair, CHALLENGE_LASER_TRIPWIRES) &&
	    !has_face(&play->gang.heist))
		return 4;
	return 0;
}

static void check_redraw(const struct play *play, const struct pair *pair,
                         const struct heist *before)
{
	const struct heist *heist = &play->gang.heist;
	unsigned cards = has(pair, CHALLENGE_SECURITY_CAMERAS) ? 3 : 2;
	unsigned who = draws_anew(play, pair);

	for (unsigned seat = 1; seat <= 4; seat++) {
		const struct pocket *was = &before->pockets[seat - 1];
		const struct pocket *is = &heist->pockets[seat - 1];

		assert_int_equal(is->count, cards);
		for (unsigned i = 0; i < cards; i++)
			assert_int_equal(pocket_has(is, was->cards[i]),
			                 seat != who);
	}
	assert_int_equal(heist->discards_count,
	                 before->discards_count + (who ? cards : 0));
	assert_int_equal(before->deck_count - heist->deck_count,
	                 3 + (who ? cards : 0));
}

/* --- what the specialist does --------------------------------------------- */

static const char *proposal_of(const struct specialist *row)
{
	if (row->asks_target)
		return "B:AC";
	return row->asks_value ? "B:A=K" : "B:A";
}

static void use_specialist(struct play *play, const struct pair *pair,
                           unsigned round)
{
	const struct specialist *row;

	if (!pair->specialist || pair->round != round)
		return;
	row = gang_specialist_get(pair->specialist);
	play_on(play, proposal_of(row));
	if (row->is_automatic) {
		assert_int_equal(play->last, ERR_NOT_ALLOWED_NOW);
		play->last = ERR_OK;
	} else {
		play_on(play, "&");
		assert_int_equal(play->gang.heist.ability.announcements_count,
		                 1);
	}
}

/* If a choice is due the chips wait for it. */
static void check_choices(struct play *play, const struct pair *pair,
                          unsigned round)
{
	const struct heist *heist = &play->gang.heist;
	bool is_due = pair->specialist && pair->round == round &&
	              gang_specialist_get(pair->specialist)->choosers;

	assert_int_equal(heist->ability.state == ABILITY_CHOOSING, is_due);
	if (!is_due)
		return;
	play_on(play, "B2");
	assert_int_equal(play->last, ERR_CHOICE_DUE);
	play->last = ERR_OK;
	play_on(play, "*");
	assert_int_equal(heist->ability.state, ABILITY_USED);
}

static void check_round(struct play *play, const struct pair *pair,
                        unsigned round)
{
	struct heist before;

	check_chips(play, pair, round);
	use_specialist(play, pair, round);
	check_choices(play, pair, round);
	check_lock(play, 'A', 'B', 1,
	           has(pair, CHALLENGE_NOISE_SENSORS) && round < HEIST_ROUNDS);
	check_lock(play, 'D', 'C', 4,
	           has(pair, CHALLENGE_VENTILATION_SHAFT) &&
	                   round < HEIST_ROUNDS);
	play_on(play, "C3");
	before = play->gang.heist;
	if (round == HEIST_ROUNDS) {
		play_on(play, "-A1 -C3 -D4");
		play_on(play, pair->rightly ? "S" : "F");
		return;
	}
	play_on(play, "B2");
	if (round == 1)
		check_redraw(play, pair, &before);
}

static void check_pair(void **state)
{
	const struct pair *pair = *state;
	unsigned round = round_after(pair, 0);
	struct play play;

	open_pair(&play, pair);
	for (; round <= HEIST_ROUNDS; round = round_after(pair, round))
		check_round(&play, pair, round);
	check_chips(&play, pair, HEIST_ROUNDS);
	assert_int_equal(play.gang.vaults, pair->rightly);
	assert_int_equal(play.gang.alarms, !pair->rightly);
}

/* --- which there are ------------------------------------------------------ */

static struct pair pairs[ROWS_MAX];
static struct rows rows;

static void add(struct pair pair, unsigned other)
{
	struct pair *kept = &pairs[rows.count];

	*kept = pair;
	(void)snprintf(kept->name, sizeof(kept->name),
	               "%s %u with %u, round %u, %s",
	               pair.specialist ? "specialist" : "challenge", other,
	               pair.challenges[0], pair.round,
	               pair.rightly ? "rightly" : "wrongly");
	rows_add(&rows, kept->name, check_pair, kept);
}

static void add_challenge(unsigned first, unsigned other)
{
	struct pair pair = { .challenges = { first, other } };

	add(pair, other);
	pair.rightly = true;
	add(pair, other);
}

/* An automatic specialist acts in the first round only. */
static void add_specialist(unsigned first, unsigned number)
{
	unsigned rounds =
		gang_specialist_get(number)->is_automatic ? 1 : HEIST_ROUNDS;

	for (unsigned round = 1; round <= rounds; round++) {
		struct pair pair = {
			.challenges = { first },
			.specialist = number,
			.round = round,
			.rightly = round % 2,
		};
		add(pair, number);
	}
}

/* Quick Access is played by itself only, the others with each other. */
int main(void)
{
	add_challenge(0, CHALLENGE_QUICK_ACCESS);
	for (unsigned first = 0; first <= CHALLENGE_MAX; first++) {
		if (first == CHALLENGE_QUICK_ACCESS)
			continue;
		for (unsigned number = CHALLENGE_NOISE_SENSORS;
		     number <= CHALLENGE_MAX; number++) {
			if (number > first)
				add_challenge(first, number);
		}
		for (unsigned number = 1; number <= SPECIALIST_MAX; number++)
			add_specialist(first, number);
	}
	return rows_run("pairs", &rows);
}
