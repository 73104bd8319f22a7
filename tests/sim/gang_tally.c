/*
 * gang_tally.c - counts what the simulation met, and fails when too little was.
 *
 * A counter only grows.  tally_check() demands every pair of cards that a mode
 * can bring, every outcome and every special moment, so that a change of the
 * players' behaviour cannot make the simulation pass by meeting nothing.
 */
#include "gang_tally.h"

#include <inttypes.h>

/* A heist with a permanent challenge, or with two, has ended. */
static void tally_cards(struct tally *tally, const struct gang *gang,
                        unsigned redrawn)
{
	const struct heist_setup *setup = &gang->heist.setup;

	if (gang->mode != GANG_MODE_PROFESSIONAL &&
	    gang->mode != GANG_MODE_MASTER_THIEF)
		return;
	for (unsigned one = 1; one <= CHALLENGE_MAX; one++) {
		if (!(setup->challenges >> one & 1))
			continue;
		tally->specialists[one][setup->specialist]++;
		tally->redrawn_helped[one][setup->specialist] +=
			redrawn >> one & 1;
		for (unsigned two = 1; two <= CHALLENGE_MAX; two++) {
			if (two == one || !(setup->challenges >> two & 1))
				continue;
			tally->challenges[one][two] +=
				setup->permanent ? setup->permanent >> one & 1
						 : 1;
			tally->redrawn[one][two] += redrawn >> one & 1;
		}
	}
}

void tally_heist(struct tally *tally, const struct gang *gang,
                 const struct model *model, const struct event *event)
{
	tally->heists[event->public_data[0]]++;
	if (event->public_data[0] == OUTCOME_ABANDONED)
		return;
	tally->jack_redrawn += model->jack_redrawn;
	for (unsigned i = 1; i <= CHALLENGE_MAX; i++) {
		if (model->settled[i])
			tally->judged[i][model->right[i]]++;
	}
	tally_cards(tally, gang, model->redrawn);
}

void tally_round(struct tally *tally, const struct model *model,
                 const struct event *event, bool is_leaving)
{
	bool is_chip = event->type == EVENT_CHIP_TAKEN ||
	               event->type == EVENT_CHIP_RETURNED;

	tally->withdrawn_by_chip += is_chip && model->confirmed;
	tally->withdrawn_by_use +=
		event->type == EVENT_SPECIALIST_USED && model->confirmed;
	tally->ended_by_leaving +=
		event->type == EVENT_ROUND_ENDED && is_leaving;
}

uint64_t tally_games(const struct tally *tally, unsigned mode)
{
	return tally->games[mode][STATUS_WON] + tally->games[mode][STATUS_LOST];
}

bool tally_is_full(const struct tally *tally, uint64_t games)
{
	for (unsigned mode = 1; mode <= MODES; mode++) {
		if (tally_games(tally, mode) < games)
			return false;
	}
	return true;
}

void tally_print(const struct tally *tally)
{
	for (unsigned mode = 1; mode <= MODES; mode++)
		print_message("%-12s %" PRIu64 " games won, %" PRIu64
		              " lost, %" PRIu64 " by a gang again; %" PRIu64
		              " and %" PRIu64 " stacks shuffled on the way\n",
		              gang_mode_get(mode)->code,
		              tally->games[mode][STATUS_WON],
		              tally->games[mode][STATUS_LOST],
		              tally->again[mode], tally->reshuffled[mode][0],
		              tally->reshuffled[mode][1]);
	print_message("heists: %" PRIu64 " succeeded, %" PRIu64
	              " failed; Jx redrawn: %" PRIu64
	              "; proposals expired: %" PRIu64 "\n",
	              tally->heists[OUTCOME_SUCCEEDED],
	              tally->heists[OUTCOME_FAILED], tally->jack_redrawn,
	              tally->expired);
	print_message("%" PRIu64 " left, %" PRIu64 " came, %" PRIu64
	              " heists abandoned; %" PRIu64
	              " rematches in another mode, %" PRIu64
	              " with more seats\n",
	              tally->left, tally->came,
	              tally->heists[OUTCOME_ABANDONED], tally->other_mode,
	              tally->other_seats);
	print_message("confirmed rounds: %" PRIu64 ", %" PRIu64 ", %" PRIu64
	              " and %" PRIu64 " games; withdrawn by %" PRIu64
	              " chips and %" PRIu64 " uses; ended by %" PRIu64
	              " who left\n",
	              tally->confirmed[1], tally->confirmed[2],
	              tally->confirmed[3], tally->confirmed[4],
	              tally->withdrawn_by_chip, tally->withdrawn_by_use,
	              tally->ended_by_leaving);
	print_message("actions: %" PRIu64 " chosen, %" PRIu64
	              " done; states: %" PRIu64 "\n",
	              tally->tried, tally->succeeded, tally->states);
	for (unsigned err = 0; err < ERR_COUNT; err++) {
		if (tally->refused[err])
			print_message("%14" PRIu64 " tried: %s\n",
			              tally->refused[err],
			              err_code((enum err)err));
	}
}

static void expect_met(uint64_t count, const char *what, unsigned one,
                       unsigned two)
{
	if (!count)
		fail_msg("never met: %s %u %u", what, one, two);
}

/* Every card together with every other that one mode can bring with it. */
static void check_cards_met(const struct tally *tally)
{
	for (unsigned one = CHALLENGE_QUICK_ACCESS + 1; one <= CHALLENGE_MAX;
	     one++) {
		bool draws = one == CHALLENGE_MOTION_DETECTOR ||
		             one == CHALLENGE_LASER_TRIPWIRES;

		for (unsigned two = CHALLENGE_QUICK_ACCESS + 1;
		     two <= CHALLENGE_MAX; two++) {
			if (one == two)
				continue;
			expect_met(tally->challenges[one][two], "challenges",
			           one, two);
			if (draws)
				expect_met(tally->redrawn[one][two],
				           "a redraw with challenges", one,
				           two);
		}
		for (unsigned two = 1; two <= SPECIALIST_MAX; two++) {
			expect_met(tally->specialists[one][two],
			           "challenge and specialist", one, two);
			if (draws)
				expect_met(tally->redrawn_helped[one][two],
				           "a redraw with a specialist", one,
				           two);
		}
	}
}

static void check_moments_met(const struct tally *tally)
{
	static const uint8_t questions[] = { CHALLENGE_RETINA_SCAN,
		                             CHALLENGE_FINGERPRINT_SCAN };
	static const uint8_t choosers[] = {
		SPECIALIST_INFORMANT, SPECIALIST_HACKER, SPECIALIST_COORDINATOR,
		SPECIALIST_JACK, SPECIALIST_CON_ARTIST
	};

	expect_met(tally->jack_redrawn, "Jx redrawn", 0, 0);
	expect_met(tally->expired, "an expired proposal", 0, 0);
	for (size_t i = 0; i < ARRAY_LEN(questions); i++) {
		expect_met(tally->judged[questions[i]][false], "a wrong answer",
		           questions[i], 0);
		expect_met(tally->judged[questions[i]][true], "a right answer",
		           questions[i], 0);
	}
	for (size_t i = 0; i < ARRAY_LEN(choosers); i++)
		expect_met(tally->chosen[choosers[i]], "a choice", choosers[i],
		           0);
	expect_met(tally->heists[OUTCOME_ABANDONED], "an abandoned heist", 0,
	           0);
	expect_met(tally->came, "a seat that is taken over", 0, 0);
	expect_met(tally->withdrawn_by_chip, "a chip after a confirmation", 0,
	           0);
	expect_met(tally->withdrawn_by_use, "a use after a confirmation", 0, 0);
	expect_met(tally->ended_by_leaving, "a round that leaving ends", 0, 0);
	expect_met(tally->other_mode, "a rematch in another mode", 0, 0);
	expect_met(tally->other_seats, "a rematch with more seats", 0, 0);
	for (unsigned mode = GANG_MODE_ADVANCED; mode <= MODES; mode++) {
		expect_met(tally->reshuffled[mode][0], "challenges shuffled",
		           mode, 0);
		if (mode != GANG_MODE_MASTER_THIEF)
			expect_met(tally->reshuffled[mode][1],
			           "specialists shuffled", mode, 0);
	}
}

void tally_check(const struct tally *tally, uint64_t games)
{
	for (unsigned mode = 1; mode <= MODES; mode++) {
		assert_in_range(tally->games[mode][STATUS_WON], games / 20,
		                2 * games);
		assert_in_range(tally->games[mode][STATUS_LOST], games / 20,
		                2 * games);
		assert_in_range(tally->confirmed[mode], games / 10, games / 2);
	}
	assert_in_range(tally->heists[OUTCOME_SUCCEEDED], games, 20 * games);
	assert_in_range(tally->heists[OUTCOME_FAILED], games, 20 * games);
	for (unsigned seats = GANG_PLAYERS_MIN; seats <= GANG_PLAYERS_MAX;
	     seats++)
		assert_in_range(tally->players[seats], games / 20, 4 * games);
	check_cards_met(tally);
	check_moments_met(tally);
}
