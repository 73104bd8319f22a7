/*
 * The mover is not stored: it follows from the number of the turn and from the
 * seat that began.
 */
#include "games/famiglia/rules/famiglia_state.h"

unsigned famiglia_other_seat(unsigned seat)
{
	return FAMIGLIA_SEATS + 1 - seat;
}

unsigned famiglia_mover(const struct famiglia *game)
{
	if (!game->players || game->ending)
		return 0;
	return game->turn.number % 2 ? game->starter
	                             : famiglia_other_seat(game->starter);
}
