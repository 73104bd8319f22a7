/*
 * The number of a card is its index in texts[].
 */
#include "poker/card.h"

#include <assert.h>
#include <string.h>

static const char texts[CARD_COUNT][CARD_TEXT_LEN + 1] = {
	"2c", "2d", "2h", "2s", "3c", "3d", "3h", "3s", "4c", "4d", "4h",
	"4s", "5c", "5d", "5h", "5s", "6c", "6d", "6h", "6s", "7c", "7d",
	"7h", "7s", "8c", "8d", "8h", "8s", "9c", "9d", "9h", "9s", "Tc",
	"Td", "Th", "Ts", "Jc", "Jd", "Jh", "Js", "Qc", "Qd", "Qh", "Qs",
	"Kc", "Kd", "Kh", "Ks", "Ac", "Ad", "Ah", "As", "Jx",
};

unsigned card_rank(uint8_t card)
{
	assert(card < CARD_COUNT);

	return card == CARD_JX ? RANK_JACK : card / CARD_SUITS;
}

bool card_is_face(uint8_t card)
{
	unsigned rank = card_rank(card);

	return rank >= RANK_JACK && rank <= RANK_KING;
}

const char *card_text(uint8_t card)
{
	assert(card < CARD_COUNT);

	return texts[card];
}

bool card_parse(const char *text, size_t len, uint8_t *card)
{
	if (len != CARD_TEXT_LEN)
		return false;
	for (unsigned i = 0; i < CARD_COUNT; i++) {
		if (memcmp(text, texts[i], CARD_TEXT_LEN) == 0) {
			*card = (uint8_t)i;
			return true;
		}
	}
	return false;
}
