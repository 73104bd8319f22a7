/*
 * famiglia_reachable.c - what holds of every state that play comes to.
 *
 * famiglia_valid() says what the rules rely on: bounds, and each gangster in
 * one place.  The rest follows from how the game is played: how many gangsters
 * the turns so far have taken, which turn is the last, what a step leaves
 * behind in its turn.  The rules need not check that of a state they read, for
 * a checksum finds accidental damage; the simulation checks it of every state.
 */
#include "famiglia_reachable.h"

/*
 * The last turn is known once the pile has run out.  Nobody discards a zero, so
 * the second pile has no zero either.
 */
static bool pile_is_reachable(const struct pile *pile)
{
	uint64_t put_away = pile->discards;

	if (put_away && (pile->second_pass || !pile->count))
		return false;
	if (pile->second_pass)
		put_away |= gangsters_of(pile->gangsters, pile->count);
	for (unsigned family = 0; family < FAMILY_COUNT; family++) {
		if (put_away & gangsters_alike((enum family)family, 0))
			return false;
	}
	return true;
}

/*
 * A seat has taken no more gangsters than it had turns.  The turn in which a
 * game is forfeited is not over.
 */
static bool takes_are_reachable(const struct famiglia *game)
{
	bool is_whole = game->ending && game->ending != ENDING_FORFEITED;
	unsigned over = game->turn.number - (is_whole ? 0U : 1U);

	for (unsigned seat = 1; seat <= FAMIGLIA_SEATS; seat++) {
		const struct side *side = &game->sides[seat - 1];
		unsigned turns = (over + (seat == game->starter)) / 2;
		unsigned of_seat = gangsters_count(side->hand | side->display) -
		                   FAMILY_COUNT;

		if (of_seat > turns)
			return false;
	}
	return true;
}

static bool ending_is_reachable(const struct famiglia *game)
{
	unsigned number = game->turn.number;
	unsigned last = game->pile.count ? 0 : number + number % 2;

	if (game->last_turn != last || (game->has_passed && number < 2) ||
	    (!game->street.count && game->pile.count))
		return false;
	if (game->ending == ENDING_LAST_ROUND)
		return number == last;
	return game->ending != ENDING_BOTH_PASSED ||
	       (game->has_passed && number != last);
}

static bool refills_are_reachable(const struct famiglia *game)
{
	const struct turn *turn = &game->turn;
	const struct pile *pile = &game->pile;

	if (turn->refilled_again && !(pile->second_pass && turn->refills))
		return false;
	/* In the second pass there is but one more. */
	if (pile->second_pass)
		return turn->refills < STREET_MAX + turn->refilled_again;
	return turn->refills <= gangsters_count(pile->discards);
}

static uint64_t set_of(const uint8_t *gangsters)
{
	uint64_t set = 0;

	for (unsigned i = 0; i < swap_count(gangsters); i++)
		set |= gangsters_just(gangsters[i]);
	return set;
}

/* The accountant may have brought back the brute. */
static bool swap_is_reachable(const struct turn *turn, const struct side *side)
{
	const struct swap *swap = &turn->swap;
	unsigned count = swap_count(swap->give);

	if (swap_count(swap->take) != count)
		return false;
	if (!swap->accountant)
		return count == 0;
	uint64_t able = turn_able(side->display, FAMILY_ACCOUNTANTS);
	uint64_t give = set_of(swap->give);
	uint64_t take = set_of(swap->take);
	if (gangsters_have(take, turn->threat.brute))
		take &= ~gangsters_just(turn->threat.brute);
	return gangsters_have(able & ~give, swap->accountant) && count >= 1 &&
	       count <= gangster_rank(swap->accountant) &&
	       !(give & ~side->display) && !(take & ~side->hand);
}

static bool threat_is_reachable(const struct famiglia *game,
                                const struct side *side)
{
	const struct threat *threat = &game->turn.threat;
	uint64_t given = set_of(game->turn.swap.give);

	if (!threat->brute)
		return !threat->target && !threat->by;
	return gangsters_have(turn_able(side->display, FAMILY_BRUTES) & ~given,
	                      threat->brute) &&
	       street_has(&game->street, threat->target) && threat->by >= 1 &&
	       threat->by <= gangster_rank(threat->brute);
}

/* The mover has made the steps; a game that is over has no steps. */
static bool turn_is_reachable(const struct famiglia *game)
{
	const struct turn *turn = &game->turn;
	unsigned mover = famiglia_mover(game);
	const struct side *side = &game->sides[mover ? mover - 1 : 0];

	if (!mover && (turn->refills || turn->refilled_again ||
	               turn->swap.accountant || turn->threat.brute))
		return false;
	return refills_are_reachable(game) && swap_is_reachable(turn, side) &&
	       threat_is_reachable(game, side);
}

bool famiglia_reachable(const struct famiglia *game)
{
	if (!famiglia_valid(game))
		return false;
	if (!game->players)
		return !game->turn.number && !game->vacant &&
		       !game->pile.count && !game->street.count;
	return pile_is_reachable(&game->pile) && takes_are_reachable(game) &&
	       ending_is_reachable(game) && turn_is_reachable(game);
}
