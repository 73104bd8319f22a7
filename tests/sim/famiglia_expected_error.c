/*
 * famiglia_expected_error.c - which error the contract has for an action.
 *
 * The checks follow the contract, in the order that it promises, and use only
 * the reference model (famiglia_reference_model.h).  No function of the rules
 * is called to decide.
 */
#include "famiglia_expected_error.h"

/* --- bodies that are wrong whatever the game ------------------------------ */

static bool is_card(unsigned number)
{
	return number >= 1 && number <= CARDS;
}

unsigned famiglia_cards_count(const uint8_t *list)
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

bool famiglia_body_is_valid(const struct action *action)
{
	const uint8_t *args = action->args;

	switch (action->verb) {
	case VERB_REFILL:
		return is_card(args[0]);
	case VERB_SWAP:
		return is_card(args[0]) && famiglia_cards_count(args + 1) &&
		       famiglia_cards_count(args + 1) ==
		               famiglia_cards_count(args + 5);
	case VERB_THREATEN:
		return is_card(args[0]) && is_card(args[1]) && args[2] >= 1 &&
		       args[2] <= 4;
	case VERB_TAKE:
		if (!args[1] && !args[2] && !args[3])
			return is_card(args[0]);
		return is_card(args[0]) && is_card(args[1]) &&
		       is_card(args[2]) && args[1] != args[2] &&
		       (args[3] == args[1] || args[3] == args[2]);
	}
	return true;
}

/* --- steps ---------------------------------------------------------------- */

enum err expected_refill_error(const struct fam_model *model,
                               const uint8_t *args)
{
	if (model->accountant || model->brute)
		return ERR_STEP_OVER;
	for (unsigned i = 0; i < model->street_count; i++) {
		if (fam_printed[model->street[i]].rank == 0)
			return ERR_ZERO_IN_STREET;
	}
	if (model->late_refills)
		return ERR_REFILL_USED;
	if (!fam_model_pile(model))
		return ERR_PILE_EMPTY;
	return fam_model_lies(model, args[0], IN_STREET) ? ERR_OK
	                                                 : ERR_NOT_IN_STREET;
}

static enum err played_error(const struct fam_model *model, unsigned card,
                             char family)
{
	if (!fam_model_lies(model, card, fam_model_mover(model)))
		return ERR_NOT_IN_HAND;
	if (fam_printed[card].family != family)
		return ERR_WRONG_FAMILY;
	return fam_printed[card].rank ? ERR_OK : ERR_NO_ABILITY;
}

static enum err accountant_error(const struct fam_model *model,
                                 const uint8_t *args)
{
	unsigned seat = fam_model_mover(model);
	unsigned count = famiglia_cards_count(args + 1);

	if (model->accountant)
		return ERR_ALREADY_USED;
	if (model->brute)
		return ERR_STEP_OVER;
	enum err err = played_error(model, args[0], 'a');
	if (err)
		return err;
	for (unsigned i = 1; i <= 8; i++) {
		if (args[i] == args[0])
			return ERR_PLAYED_CARD;
	}
	for (unsigned i = 0; i < count; i++) {
		if (!fam_model_lies(model, args[1 + i], seat))
			return ERR_NOT_IN_HAND;
	}
	for (unsigned i = 0; i < count; i++) {
		if (!fam_model_lies(model, args[5 + i], seat + 2))
			return ERR_NOT_IN_DISPLAY;
	}
	return count > fam_printed[args[0]].rank ? ERR_SWAP_TOO_LARGE : ERR_OK;
}

static enum err brute_error(const struct fam_model *model, const uint8_t *args)
{
	if (model->brute)
		return ERR_ALREADY_USED;
	enum err err = played_error(model, args[0], 'b');
	if (err)
		return err;
	if (!fam_model_lies(model, args[1], IN_STREET))
		return ERR_NOT_IN_STREET;
	if (args[2] > fam_printed[args[0]].rank)
		return ERR_BRUTE_TOO_WEAK;
	return args[2] > fam_printed[args[1]].rank ? ERR_BELOW_ZERO : ERR_OK;
}

/* Two cards for one of this family and this rank now. */
static enum err pair_error(char family, unsigned rank, const uint8_t *pay)
{
	unsigned right = 0;
	bool too_low = false;

	for (unsigned i = 0; i < 2; i++) {
		const struct fam_printed *card = &fam_printed[pay[i]];

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

static enum err take_error(const struct fam_model *model, const uint8_t *args)
{
	unsigned seat = fam_model_mover(model);

	if (!fam_model_lies(model, args[0], IN_STREET))
		return ERR_NOT_IN_STREET;
	unsigned rank = fam_model_rank(model, args[0]);
	if (!rank)
		return args[1] ? ERR_PAYMENT_NOT_NEEDED : ERR_OK;
	if (!args[1])
		return ERR_PAYMENT_NEEDED;
	if (!fam_model_lies(model, args[1], seat) ||
	    !fam_model_lies(model, args[2], seat))
		return ERR_NOT_IN_HAND;
	return pair_error(fam_printed[args[0]].family, rank, args + 1);
}

enum err famiglia_expected_error(const struct fam_model *model,
                                 const struct action *action)
{
	if (action->seat < 1 || action->seat > 2 ||
	    model->vacant >> action->seat & 1)
		return ERR_NO_SUCH_SEAT;
	if (!famiglia_body_is_valid(action))
		return ERR_INVALID;
	if (model->is_over)
		return ERR_GAME_OVER;
	if (action->seat != fam_model_mover(model))
		return ERR_NOT_YOUR_TURN;
	switch (action->verb) {
	case VERB_REFILL:
		return expected_refill_error(model, action->args);
	case VERB_SWAP:
		return accountant_error(model, action->args);
	case VERB_THREATEN:
		return brute_error(model, action->args);
	case VERB_TAKE:
		return take_error(model, action->args);
	case VERB_PASS:
		return ERR_OK;
	}
	return ERR_NOT_ALLOWED_NOW;
}
