/*
 * card.h - one playing card.
 *
 * A card of the deck is the number 4 * rank + suit, with rank 0 (two) to 12
 * (ace) and suit 0 to 3 (clubs, diamonds, hearts, spades).  CARD_JX is the
 * specialist's suitless Jack.  The text of a card is two characters: rank
 * "23456789TJQKA" and suit "cdhs", or "Jx".
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/macros.h"

enum {
	CARD_SUITS = 4,
	CARD_RANKS = 13,
	CARD_DECK_COUNT = 52,
	CARD_JX = 52,
	CARD_COUNT = 53, /* with Jx */
	CARD_TEXT_LEN = 2,
	RANK_JACK = 9,
	RANK_QUEEN = 10,
	RANK_KING = 11,
	RANK_ACE = 12,
};

/* The rank, 0 to 12; that of Jx is RANK_JACK. */
unsigned card_rank(uint8_t card);

/* True for J, Q and K, Jx included. */
bool card_is_face(uint8_t card);

/* The text of a card; static. */
const char *card_text(uint8_t card);

/* Read a card; false, and card untouched, if the text is not a card. */
MUST_CHECK bool card_parse(const char *text, size_t len, uint8_t *card);
