/*
 * A turn is decided step by step from the view.  The bot takes the gangster
 * with the most points that its hand can pay for, and keeps the better of the
 * two cards that it shows; without such a gangster it passes.
 */
#include "bot/bot_famiglia.h"

#include "famiglia/famiglia_view.h"

/* The lowest number of a set; GANGSTER_NONE if it is empty. */
static unsigned first(uint64_t set)
{
	return gangsters_next(set, GANGSTER_NONE);
}

/* The two cards to show for a rank above 0; false if the hand has none. */
static bool pay_for(uint64_t hand, unsigned gangster, unsigned rank,
                    uint8_t *args)
{
	uint64_t cards = recruit_cards(hand, gangster, rank);
	unsigned card = first(cards);
	unsigned other = card ? gangsters_next(cards, card) : GANGSTER_NONE;

	if (!card)
		return false;
	if (!other)
		other = first(recruit_stand_ins(hand, rank) & ~cards);
	if (!other)
		return false;
	args[ARG_PAY] = (uint8_t)card;
	args[ARG_PAY + 1] = (uint8_t)other;
	args[ARG_KEEP] = (uint8_t)other;
	return true;
}

struct bot_choice bot_famiglia_choose(const struct bot_input *input,
                                      struct rng *rng, struct bot_work *work)
{
	const struct famiglia_view *view = input->view;
	struct bot_choice best = { .hesitation = 500 };
	unsigned most = 0;

	(void)rng;
	(void)work;
	if (!view->may_move)
		return best;
	best.action = (struct action){ .verb = VERB_PASS, .seat = view->seat };
	for (unsigned i = 0; i < view->street.count; i++) {
		unsigned gangster = view->street.gangsters[i];
		unsigned rank = turn_rank(&view->turn, gangster);
		unsigned worth = 1 + gangster_points(gangster);
		struct action take = { .verb = VERB_RECRUIT,
			               .seat = view->seat,
			               .args = { (uint8_t)gangster } };

		if (worth > most &&
		    (!rank || pay_for(view->hand, gangster, rank, take.args))) {
			best.action = take;
			most = worth;
		}
	}
	return best;
}
