/*
 * bots_met.h - counts of what games of bots have met, so that they cannot pass
 * by meeting nothing.
 */
#pragma once

#include "games/gang/rules/gang_view.h"
#include "operator/bot_table.h"
#include "sim.h"

enum { BOTS_MODES = 4 };

/* Counters, by mode, card or end. */
struct bots_met {
	uint64_t games[BOTS_MODES + 1][STATUS_COUNT];
	uint64_t confirmed[BOTS_MODES + 1]; /* games with confirmed rounds */
	uint64_t seats[TABLE_SEATS_MAX + 1];
	uint64_t heists[BOTS_MODES + 1][OUTCOME_ABANDONED + 1];
	uint64_t challenges[BOTS_MODES + 1][CHALLENGE_MAX + 1];
	uint64_t specialists[BOTS_MODES + 1][SPECIALIST_MAX + 1];
	uint64_t used[SPECIALIST_MAX + 1];
	uint64_t chosen[SPECIALIST_MAX + 1];
	uint64_t judged[CHALLENGE_MAX + 1][2]; /* wrong answers, right ones */
};

/* Count the events of the log, from this one on. */
void bots_met_count(struct bots_met *met, const struct bot_table *table,
                    size_t from);

/* Play a game of The Gang to its end, as bot_table_play() does, and count. */
void bots_met_play(struct bots_met *met, struct bot_table *table);

/* Play the present heist only. */
void bots_met_play_heist(struct bots_met *met, struct bot_table *table);

void bots_met_print(const struct bots_met *met);

/* Fail unless every card was met; in use, if it is one for players to use. */
void bots_met_check_cards(const struct bots_met *met);

/*
 * Fail unless every mode was met with each card that it can bring, and came to
 * both ends, at tables of each size.
 */
void bots_met_check_modes(const struct bots_met *met);
