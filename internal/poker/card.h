/*
 * card.h - one playing card.
 *
 * A card is a number: 4 * rank + suit for the 52 of the deck, rank 0 (the
 * two) to 12 (the ace), suit 0 to 3 (clubs, diamonds, hearts, spades); and
 * CARD_JX, the specialist's suitless Jack.  Its text is two characters, rank
 * "23456789TJQKA" and suit "cdhs", or "Jx".
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

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

/* The rank, 0 to 12; Jx is a jack. */
unsigned card_rank(uint8_t card);

/* True for J, Q and K, Jx included. */
bool card_is_face(uint8_t card);

/* The text of a card below CARD_COUNT; static. */
const char *card_text(uint8_t card);

/* Read a text of any length; false, and card untouched, if it is no card. */
MUST_CHECK bool card_parse(const char *text, size_t len, uint8_t *card);
