/*
 * gang_tally.h - counts of what the simulation has met, so that it cannot pass
 * by meeting nothing.
 */
#pragma once

#include "gang_reference_model.h"

enum { MODES = 4 };

/* Counters, most of them by mode, card or outcome. */
struct tally {
	uint64_t states;
	uint64_t tried;
	uint64_t refused[ERR_COUNT];
	uint64_t succeeded;
	uint64_t heists[OUTCOME_ABANDONED + 1];
	uint64_t games[MODES + 1][STATUS_COUNT];
	uint64_t again[MODES + 1]; /* of those, by a gang that went on */
	uint64_t players[TABLE_SEATS_MAX + 1];
	uint64_t reshuffled[MODES + 1][2];
	/* A permanent challenge or one of two, together with another card. */
	uint64_t challenges[CHALLENGE_MAX + 1][CHALLENGE_MAX + 1];
	uint64_t specialists[CHALLENGE_MAX + 1][SPECIALIST_MAX + 1];
	/* The same, and the first made somebody draw anew. */
	uint64_t redrawn[CHALLENGE_MAX + 1][CHALLENGE_MAX + 1];
	uint64_t redrawn_helped[CHALLENGE_MAX + 1][SPECIALIST_MAX + 1];
	uint64_t jack_redrawn;
	uint64_t judged[CHALLENGE_MAX + 1][2];
	uint64_t chosen[SPECIALIST_MAX + 1];
	uint64_t left;        /* a game that had begun */
	uint64_t came;        /* to a vacant seat */
	uint64_t other_mode;  /* a gang went on in another one */
	uint64_t other_seats; /* or wished for more people */
	uint64_t expired;     /* proposals */
	/* Games whose rounds are confirmed; what withdrew confirmations. */
	uint64_t confirmed[MODES + 1];
	uint64_t withdrawn_by_chip;
	uint64_t withdrawn_by_use;
	uint64_t ended_by_leaving; /* rounds */
};

void tally_heist(struct tally *tally, const struct gang *gang,
                 const struct model *model, const struct event *event);

/* An event of a heist whose rounds may be confirmed, before it is applied. */
void tally_round(struct tally *tally, const struct model *model,
                 const struct event *event, bool is_leaving);

uint64_t tally_games(const struct tally *tally, unsigned mode);

/* True once this many games of each mode were played. */
bool tally_is_full(const struct tally *tally, uint64_t games);

void tally_print(const struct tally *tally);

/* Fail the test unless enough was met in this many games of each mode. */
void tally_check(const struct tally *tally, uint64_t games);
