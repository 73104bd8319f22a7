/*
 * strength.h - how strong pocket cards are at a board, among all others.
 *
 * A strength is the share of other pockets that a pocket is expected to beat at
 * the showdown, from 0 to STRENGTH_MAX; a tie counts half.  At the river equal
 * hands have equal strengths.  The values are functions of the open cards alone
 * and are kept in tables, the least recently used of which is replaced.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "games/gang/rules/gang_view.h"

enum {
	STRENGTH_PAIRS = 1326,   /* all pockets of two cards */
	STRENGTH_TRIPLES = 2048, /* a sample of the pockets of three */
	STRENGTH_POCKETS_MAX = STRENGTH_TRIPLES,
	STRENGTH_TABLES = 64,
	STRENGTH_MAX = 65534,
	STRENGTH_NONE = 65535, /* the pocket has a card of the board */
};

/* The open cards, and the number of pocket cards. */
struct board {
	uint8_t pocket_cards; /* 2 or 3 */
	uint8_t count;        /* 0, 3, 4 or 5 */
	uint8_t cards[COMMUNITY_MAX];
	bool strengthened; /* by a specialist, within the ranking */
};

struct strength_table {
	struct board board;
	uint32_t used; /* 0: the table is empty */
	uint16_t of[STRENGTH_POCKETS_MAX];
};

/* A valued pocket. */
struct strength_place {
	uint32_t value;
	uint32_t pocket;
};

/* Room to make a table in: sums of the places that pockets had. */
struct strength_room {
	struct strength_place places[STRENGTH_POCKETS_MAX];
	struct strength_place sorted[STRENGTH_POCKETS_MAX];
	uint32_t sum[STRENGTH_POCKETS_MAX];
	uint16_t count[STRENGTH_POCKETS_MAX];
};

/* The pockets that tables are about, and the tables. */
struct strength {
	struct strength_room room;
	uint32_t uses;
	uint8_t pairs[STRENGTH_PAIRS][POCKET_MAX];
	uint8_t triples[STRENGTH_TRIPLES][POCKET_MAX];
	struct strength_table tables[STRENGTH_TABLES];
};

/* The pockets, without tables. */
void strength_init(struct strength *strength);

/* The number of pockets of this many cards, and their cards. */
unsigned strength_count(unsigned pocket_cards);
const uint8_t *strength_pocket(const struct strength *strength,
                               unsigned pocket_cards, unsigned pocket);

/*
 * The strengths of all pockets at a board, by number.  Valid until as many
 * other boards have been asked for as there are tables.
 */
const uint16_t *strength_at(struct strength *strength,
                            const struct board *board);

/* The strength of any pocket, also with Jx, at a board without its cards. */
unsigned strength_of(struct strength *strength, const struct board *board,
                     const struct pocket *pocket);

/* The same at the open cards of a view, among pockets as large as its own. */
unsigned strength_in_view(struct strength *strength,
                          const struct gang_view *view,
                          const struct pocket *pocket);
