/*
 * Where a game of Famiglia stands.  A refusal of a step depends on cards
 * more than on that, so the errors' own texts say it, but for whose turn it is.
 */
#include "famiglia/famiglia_now.h"

void famiglia_now(const struct famiglia_view *view, enum err err,
                  struct now *now)
{
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
