/*
 * bots_met.c - counts what games of bots have met.
 *
 * A counter only grows.  It is read from the events of each step, and from the
 * heist that is there when its end is among them.
 */
#include "bots_met.h"

#include <inttypes.h>
#include <stdio.h>

#include "games/gang/rules/mode.h"

static const struct gang *gang_of(const struct bot_table *table)
{
	return table->state;
}

static void count_heist(struct bots_met *met, const struct gang *gang,
                        unsigned outcome)
{
	const struct heist_setup *setup = &gang->heist.setup;

	met->heists[gang->mode][outcome]++;
	met->seats[setup->players]++;
	for (unsigned i = 1; i <= CHALLENGE_MAX; i++)
		met->challenges[gang->mode][i] += setup->challenges >> i & 1;
	met->specialists[gang->mode][setup->specialist]++;
}

static void count_event(struct bots_met *met, const struct gang *gang,
                        const struct event *event)
{
	unsigned number = event->public_data[0];

	switch (event->type) {
	case EVENT_HEIST_ENDED:
		count_heist(met, gang, number);
		break;
	case EVENT_SPECIALIST_USED:
		met->used[number]++;
		break;
	case EVENT_CHOICE_MADE:
		met->chosen[number]++;
		break;
	case EVENT_QUESTION_JUDGED:
		met->judged[number][event->public_data[1] != 0]++;
		break;
	default:
		break;
	}
}

void bots_met_count(struct bots_met *met, const struct bot_table *table,
                    size_t from)
{
	for (size_t i = from; i < table->log_count; i++)
		count_event(met, gang_of(table), &table->log[i]);
}

/* One step; false if no bot moves. */
static bool step(struct bots_met *met, struct bot_table *table)
{
	size_t before = table->log_count;

	if (!bot_table_step(table))
		return false;
	/* The older half of a full log was dropped. */
	if (table->log_count < before)
		before -= ARRAY_LEN(table->log) / 2;
	bots_met_count(met, table, before);
	return true;
}

void bots_met_play(struct bots_met *met, struct bot_table *table)
{
	const struct gang *gang = gang_of(table);

	while (!status_is_over(table->table.status))
		CHECK(step(met, table));
	met->games[gang->mode][table->table.status]++;
	met->confirmed[gang->mode] += gang->confirms_rounds;
}

void bots_met_play_heist(struct bots_met *met, struct bot_table *table)
{
	while (gang_of(table)->heist.outcome == OUTCOME_OPEN)
		CHECK(step(met, table));
}

/* --- what was met --------------------------------------------------------- */

static void print_cards(const char *name, const uint64_t *counts, unsigned max)
{
	char text[256];
	size_t len = 0;

	for (unsigned i = 1; i <= max && len < sizeof(text); i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len,
		                        " %" PRIu64, counts[i]);
	print_message("%12s %s%s\n", "", name, text);
}

void bots_met_print(const struct bots_met *met)
{
	for (unsigned mode = 1; mode <= BOTS_MODES; mode++) {
		const uint64_t *games = met->games[mode];
		const uint64_t *heists = met->heists[mode];

		print_message("%-12s %" PRIu64 " games won, %" PRIu64
		              " lost, %" PRIu64
		              " of them with confirmed rounds; %" PRIu64
		              " heists succeeded, %" PRIu64 " failed\n",
		              gang_mode_get(mode)->code, games[STATUS_WON],
		              games[STATUS_LOST], met->confirmed[mode],
		              heists[OUTCOME_SUCCEEDED],
		              heists[OUTCOME_FAILED]);
		print_cards("challenges: ", met->challenges[mode],
		            CHALLENGE_MAX);
		print_cards("specialists:", met->specialists[mode],
		            SPECIALIST_MAX);
	}
	print_cards("used:       ", met->used, SPECIALIST_MAX);
	print_cards("chosen for: ", met->chosen, SPECIALIST_MAX);
	for (unsigned i = 1; i <= CHALLENGE_MAX; i++) {
		if (gang_challenge_get(i)->asks)
			print_message("%12s %s: %" PRIu64 " right, %" PRIu64
			              " wrong\n",
			              "", gang_challenge_get(i)->code,
			              met->judged[i][1], met->judged[i][0]);
	}
}

static void expect_met(uint64_t count, const char *what, unsigned mode,
                       unsigned number)
{
	if (!count)
		fail_msg("never met: %s %u, mode %u", what, number, mode);
}

static uint64_t in_all_modes(const uint64_t counts[][CHALLENGE_MAX + 1],
                             unsigned number)
{
	uint64_t sum = 0;

	for (unsigned mode = 1; mode <= BOTS_MODES; mode++)
		sum += counts[mode][number];
	return sum;
}

void bots_met_check_cards(const struct bots_met *met)
{
	_Static_assert((int)CHALLENGE_MAX == (int)SPECIALIST_MAX, "");
	for (unsigned i = 1; i <= CHALLENGE_MAX; i++) {
		expect_met(in_all_modes(met->challenges, i), "challenge", 0, i);
		if (gang_challenge_get(i)->asks)
			expect_met(met->judged[i][0] + met->judged[i][1],
			           "a question", 0, i);
	}
	for (unsigned i = 1; i <= SPECIALIST_MAX; i++) {
		const struct specialist *row = gang_specialist_get(i);

		expect_met(in_all_modes(met->specialists, i), "specialist", 0,
		           i);
		expect_met(met->used[i], "a use", 0, i);
		if (row->choosers != CHOOSER_NOBODY)
			expect_met(met->chosen[i], "a choice", 0, i);
	}
}

static void check_mode(const struct bots_met *met, unsigned number)
{
	const struct mode *mode = gang_mode_get(number);

	expect_met(met->games[number][STATUS_WON], "a game won", number, 0);
	expect_met(met->games[number][STATUS_LOST], "a game lost", number, 0);
	expect_met(met->confirmed[number], "confirmed rounds", number, 0);
	for (unsigned i = 1; i <= CHALLENGE_MAX; i++) {
		if (mode->challenges >> i & 1)
			expect_met(met->challenges[number][i], "challenge",
			           number, i);
	}
	for (unsigned i = 1; i <= SPECIALIST_MAX; i++) {
		if (mode->specialists >> i & 1)
			expect_met(met->specialists[number][i], "specialist",
			           number, i);
	}
}

void bots_met_check_modes(const struct bots_met *met)
{
	for (unsigned mode = 1; mode <= BOTS_MODES; mode++)
		check_mode(met, mode);
	for (unsigned seats = GANG_PLAYERS_MIN; seats <= GANG_PLAYERS_MAX;
	     seats++)
		expect_met(met->seats[seats], "a table of so many", 0, seats);
	for (unsigned i = 1; i <= CHALLENGE_MAX; i++) {
		if (!gang_challenge_get(i)->asks)
			continue;
		expect_met(met->judged[i][0], "a wrong answer", 0, i);
		expect_met(met->judged[i][1], "a right answer", 0, i);
	}
}
