/*
 * heist.h - one heist: cards, four rounds of chips, and what came of it.
 *
 * Every card is in exactly one place: the deck, a player's pocket, the
 * community cards or the discards.  Seats are numbered from 1.  A plain value
 * that only the functions here change.
 */
#ifndef GANG_HEIST_H
#define GANG_HEIST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/chance.h"
#include "base/err.h"
#include "gang/chips.h"
#include "gang/color.h"
#include "poker/card.h"
#include "poker/hand.h"
#include "table/event.h"

enum {
	HEIST_PLAYERS_MAX = 6,
	HEIST_POCKET_MAX = 4,
	HEIST_COMMUNITY_MAX = 5,
	HEIST_DISCARDS_MAX = 24,
};

/* What sort of thing happened: the ruleset's own types of events. */
enum gang_event {
#define EVENT(name, number, type) EVENT_##name = number,
#include "gang/event.def"
};

/* Kept in states and events by number. */
enum outcome { OUTCOME_OPEN, OUTCOME_SUCCEEDED, OUTCOME_FAILED };

/* Some cards of one place. */
struct pocket {
	uint8_t count;
	uint8_t cards[HEIST_POCKET_MAX];
};

struct heist {
	uint8_t number; /* from 1; 0: there is none */
	uint8_t players;
	uint8_t round;       /* 1..4; its colour is one less */
	uint8_t outcome;     /* an enum outcome */
	uint16_t challenges; /* bit n: the card with number n is active */
	struct pocket pockets[HEIST_PLAYERS_MAX]; /* seat 1 is [0] */
	uint8_t community_count;
	uint8_t community[HEIST_COMMUNITY_MAX];
	uint8_t deck_count;
	uint8_t deck[CARD_COUNT]; /* the top card is the last */
	uint8_t discards_count;
	uint8_t discards[HEIST_DISCARDS_MAX];
	struct chips chips[COLOR_COUNT];
};

/* A chip that a player wants to move. */
struct chip_move {
	uint8_t seat; /* who */
	uint8_t color;
	uint8_t stars;
	uint8_t from; /* where it should be: a seat, CHIPS_CENTER, or: */
};
enum { CHIP_FROM_ANYWHERE = 255 };

/* Deal heist number with these challenges, up to its first chips. */
void heist_start(struct heist *heist, unsigned number, unsigned players,
                 uint16_t challenges, struct chance *chance,
                 struct events *events);

/*
 * Take a chip from the centre or from its holder; the one that the seat held
 * goes back.  Return a chip to the centre.  The round ends at once when all
 * hold a chip, and the showdown follows the last one.
 *
 * Refuses, in this order, with ERR_HEIST_OVER, ERR_NO_SUCH_CHIP,
 * ERR_ROUND_OVER (colour ended or skipped), ERR_NOT_ALLOWED_NOW (not yet
 * begun), ERR_CHIP_ALREADY_HELD or ERR_CHIP_NOT_HELD, ERR_CHIP_MOVED,
 * ERR_CHIP_LOCKED, and has changed nothing then.
 */
MUST_CHECK enum err heist_take(struct heist *heist, struct chip_move move,
                               struct events *events);
MUST_CHECK enum err heist_return(struct heist *heist, struct chip_move move,
                                 struct events *events);

/* What those two would say. */
enum err heist_check_take(const struct heist *heist, struct chip_move move);
enum err heist_check_return(const struct heist *heist, struct chip_move move);

/* True if the colour has, or had, chips in this heist. */
bool heist_has_chips(const struct heist *heist, enum color color);

/* True if the chip cannot be moved: its round is over, or a card locks it. */
bool heist_chip_is_locked(const struct heist *heist, enum color color,
                          unsigned stars);

/* The seats that owe a chip: bit n stands for seat n. */
unsigned heist_waiting_for(const struct heist *heist);

/* The best hand of a pocket with the community cards in sight. */
struct hand heist_hand(const uint8_t *community, unsigned count,
                       const struct pocket *pocket);

/* What is left of a heist that is over: all of it lies open. */
struct record {
	uint8_t number;
	uint8_t players;
	uint8_t outcome;
	uint16_t challenges;
	uint8_t community[HEIST_COMMUNITY_MAX];
	struct pocket pockets[HEIST_PLAYERS_MAX]; /* seat 1 is [0] */
	struct chips red;
};
void heist_record(const struct heist *heist, struct record *record);

/* True if its cards are each one card and its red chips are settled. */
bool record_valid(const struct record *record);

/*
 * A showdown, in ascending order of red stars.  in_order compares with the
 * strongest hand revealed before.
 */
struct reveal {
	uint8_t seat;
	uint8_t stars;
	bool in_order;
	struct pocket pocket;
	struct hand hand;
};
struct showdown {
	uint8_t count;
	struct reveal reveals[HEIST_PLAYERS_MAX];
};
void record_showdown(const struct record *record, struct showdown *showdown);

/* True if every card is in one place and the chips fit the round. */
bool heist_valid(const struct heist *heist);

#endif
