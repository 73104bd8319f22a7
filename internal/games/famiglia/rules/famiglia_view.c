/*
 * A view copies the open cards and, of the hidden ones, only the viewer's own
 * hand.  The result of a game that was played to its end holds both hands.
 */
#include "games/famiglia/rules/famiglia_view.h"

#include <assert.h>

void famiglia_view(const void *state, unsigned seat, void *into)
{
	const struct famiglia *game = state;
	struct famiglia_view *view = into;
	unsigned mover = famiglia_mover(game);

	assert(game->players == 0 || seat <= game->players);
	*view = (struct famiglia_view){ .seat = (uint8_t)seat };
	if (!game->players)
		return;
	view->players = game->players;
	view->starter = game->starter;
	view->mover = (uint8_t)mover;
	view->may_move = seat && seat == mover && !(game->vacant >> seat & 1);
	view->may_refill = mover && !turn_check_refill_step(game);
	view->turn = game->turn;
	view->street = game->street;
	view->pile_count = game->pile.count;
	view->discards_count = (uint8_t)gangsters_count(game->pile.discards);
	view->second_pass = game->pile.second_pass;
	view->last_turn = game->last_turn;
	view->has_passed = game->has_passed;
	for (unsigned i = 0; i < FAMIGLIA_SEATS; i++) {
		view->hand_counts[i] =
			(uint8_t)gangsters_count(game->sides[i].hand);
		view->displays[i] = game->sides[i].display;
	}
	if (seat)
		view->hand = game->sides[seat - 1].hand;
	if (game->ending == ENDING_FORFEITED)
		view->result = score_forfeit(game->forfeiter);
	else if (game->ending)
		view->result = score_result(game->sides, game->ending);
}

/* Other refusals depend on cards: the texts of their errors explain them. */
void famiglia_now(const void *from, const struct action *action, enum err err,
                  struct now *now)
{
	const struct famiglia_view *view = from;

	(void)action;
	*now = (struct now){
		.members = {
			{ "turn", NULL, view->turn.number },
			{ "round", NULL, (view->turn.number + 1U) / 2 },
			{ "seat_to_move", NULL, view->mover },
		},
		.count = 3,
	};
	if (err == ERR_NOT_YOUR_TURN)
		now->detail = "It is the turn of seat {seat_to_move}: turn "
			      "{turn}, in round {round}.";
}

bool famiglia_view_hand(const struct famiglia_view *view, unsigned seat,
                        uint64_t *hand, unsigned *points)
{
	assert(seat >= 1);

	if (seat != view->seat && !result_opens_hands(&view->result))
		return false;
	*hand = 0;
	*points = 0;
	if (!view->players)
		return true;
	*hand = seat == view->seat ? view->hand : view->result.hands[seat - 1];
	*points = gangsters_points(*hand | view->displays[seat - 1]);
	return true;
}
