/*
 * famiglia_judge.h - what the contract says of an action in Famiglia, told
 * from the notes of the game (famiglia_notes.h).
 *
 * Written a second time, from the contract and not from the rules: who finds
 * it differ has found a fault in one of the two.
 */
#ifndef TESTS_FAMIGLIA_JUDGE_H
#define TESTS_FAMIGLIA_JUDGE_H

#include "famiglia_notes.h"

/* --- bodies that are wrong whatever the game ------------------------------ */

static inline bool is_card(unsigned number)
{
	return number >= 1 && number <= CARDS;
}

/* One to four different cards at the beginning; 0 if it is not so. */
static inline unsigned count_cards(const uint8_t *list)
{
	unsigned count = 0;

	while (count < 4 && is_card(list[count]))
		count++;
	for (unsigned i = 0; i < 4; i++) {
		if (i >= count && list[i])
			return 0;
		for (unsigned j = 0; i < count && j < i; j++) {
			if (list[j] == list[i])
				return 0;
		}
	}
	return count;
}

static inline bool is_body(const struct action *action)
{
	const uint8_t *args = action->args;

	switch (action->verb) {
	case VERB_REFILL:
		return is_card(args[0]);
	case VERB_SWAP:
		return is_card(args[0]) && count_cards(args + 1) &&
		       count_cards(args + 1) == count_cards(args + 5);
	case VERB_THREATEN:
		return is_card(args[0]) && is_card(args[1]) && args[2] >= 1 &&
		       args[2] <= 4;
	case VERB_RECRUIT:
		if (!args[1] && !args[2] && !args[3])
			return is_card(args[0]);
		return is_card(args[0]) && is_card(args[1]) &&
		       is_card(args[2]) && args[1] != args[2] &&
		       (args[3] == args[1] || args[3] == args[2]);
	}
	return true;
}

/* --- steps ---------------------------------------------------------------- */

static inline enum err judge_refill(const struct notes *notes,
                                    const uint8_t *args)
{
	if (notes->accountant || notes->brute)
		return ERR_STEP_OVER;
	for (unsigned i = 0; i < notes->street_count; i++) {
		if (printed[notes->street[i]].rank == 0)
			return ERR_ZERO_IN_STREET;
	}
	if (notes->late_refills)
		return ERR_REFILL_USED;
	if (!pile_of(notes))
		return ERR_PILE_EMPTY;
	return lies_at(notes, args[0], IN_STREET) ? ERR_OK : ERR_NOT_IN_STREET;
}

static inline enum err judge_played(const struct notes *notes, unsigned card,
                                    char family)
{
	if (!lies_at(notes, card, mover_of(notes)))
		return ERR_NOT_IN_HAND;
	if (printed[card].family != family)
		return ERR_WRONG_FAMILY;
	return printed[card].rank ? ERR_OK : ERR_NO_ABILITY;
}

static inline enum err judge_accountant(const struct notes *notes,
                                        const uint8_t *args)
{
	unsigned seat = mover_of(notes);
	unsigned count = count_cards(args + 1);

	if (notes->accountant)
		return ERR_ALREADY_USED;
	if (notes->brute)
		return ERR_STEP_OVER;
	enum err err = judge_played(notes, args[0], 'a');
	if (err)
		return err;
	for (unsigned i = 1; i <= 8; i++) {
		if (args[i] == args[0])
			return ERR_PLAYED_CARD;
	}
	for (unsigned i = 0; i < count; i++) {
		if (!lies_at(notes, args[1 + i], seat))
			return ERR_NOT_IN_HAND;
	}
	for (unsigned i = 0; i < count; i++) {
		if (!lies_at(notes, args[5 + i], seat + 2))
			return ERR_NOT_IN_DISPLAY;
	}
	return count > printed[args[0]].rank ? ERR_SWAP_TOO_LARGE : ERR_OK;
}

static inline enum err judge_brute(const struct notes *notes,
                                   const uint8_t *args)
{
	if (notes->brute)
		return ERR_ALREADY_USED;
	enum err err = judge_played(notes, args[0], 'b');
	if (err)
		return err;
	if (!lies_at(notes, args[1], IN_STREET))
		return ERR_NOT_IN_STREET;
	if (args[2] > printed[args[0]].rank)
		return ERR_BRUTE_TOO_WEAK;
	return args[2] > printed[args[1]].rank ? ERR_BELOW_ZERO : ERR_OK;
}

/* Two cards for one of this family and this rank now. */
static inline enum err judge_pair(char family, unsigned rank,
                                  const uint8_t *pay)
{
	unsigned right = 0;
	bool too_low = false;

	for (unsigned i = 0; i < 2; i++) {
		const struct printed *card = &printed[pay[i]];

		if (card->family == family && card->rank == rank - 1)
			right++;
		else if (card->family != 'm')
			return ERR_WRONG_PAIR;
		else if (card->rank < rank)
			too_low = true;
	}
	if (too_low)
		return ERR_STAND_IN_TOO_LOW;
	return right ? ERR_OK : ERR_TWO_STAND_INS;
}

static inline enum err judge_take(const struct notes *notes,
                                  const uint8_t *args)
{
	unsigned seat = mover_of(notes);

	if (!lies_at(notes, args[0], IN_STREET))
		return ERR_NOT_IN_STREET;
	unsigned rank = rank_now(notes, args[0]);
	if (!rank)
		return args[1] ? ERR_PAYMENT_NOT_NEEDED : ERR_OK;
	if (!args[1])
		return ERR_PAYMENT_NEEDED;
	if (!lies_at(notes, args[1], seat) || !lies_at(notes, args[2], seat))
		return ERR_NOT_IN_HAND;
	return judge_pair(printed[args[0]].family, rank, args + 1);
}

static inline enum err judge_famiglia(const struct notes *notes,
                                      const struct action *action)
{
	if (action->seat < 1 || action->seat > 2 ||
	    notes->vacant >> action->seat & 1)
		return ERR_NO_SUCH_SEAT;
	if (!is_body(action))
		return ERR_INVALID;
	if (notes->is_over)
		return ERR_GAME_OVER;
	if (action->seat != mover_of(notes))
		return ERR_NOT_YOUR_TURN;
	switch (action->verb) {
	case VERB_REFILL:
		return judge_refill(notes, action->args);
	case VERB_SWAP:
		return judge_accountant(notes, action->args);
	case VERB_THREATEN:
		return judge_brute(notes, action->args);
	case VERB_RECRUIT:
		return judge_take(notes, action->args);
	case VERB_PASS:
		return ERR_OK;
	}
	return ERR_NOT_ALLOWED_NOW;
}

#endif
