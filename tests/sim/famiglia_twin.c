/*
 * famiglia_twin.c - exchanges what a viewer of Famiglia may not see.
 *
 * Cards of a hand change places with cards of the draw pile.  Some cannot: the
 * zeros that each player begins with, and cards that were taken back from a
 * display before all eyes.
 */
#include "famiglia_twin.h"

#include "famiglia_player.h"
#include "famiglia_reachable.h"

enum { EXCHANGES_MAX = 4 }; /* of cards of one hand */

/* The cards of a hand that can be exchanged: not those known to everybody. */
static uint64_t loose_of(const struct famiglia *game, unsigned seat)
{
	uint64_t known = gangsters_first(seat);

	for (unsigned i = 0; i < SWAP_MAX; i++) {
		if (game->turn.swap.take[i])
			known |= gangsters_just(game->turn.swap.take[i]);
	}
	return game->sides[seat - 1].hand & ~known;
}

/*
 * A card of the hand for one of the pile; no zero comes into a second one.
 * Returns 1 if one was exchanged, else 0.
 */
static unsigned exchange(struct famiglia *game, unsigned seat,
                         struct sim_random *random)
{
	struct pile *pile = &game->pile;
	uint64_t loose = loose_of(game, seat);
	uint64_t *hand = &game->sides[seat - 1].hand;

	if (!loose || !pile->count)
		return 0;
	unsigned from = fam_one_of(loose, random);
	uint8_t *to = &pile->gangsters[sim_below(random, pile->count)];
	if (pile->second_pass && gangster_rank(from) == 0)
		return 0;
	*hand &= ~gangsters_just(from);
	*hand |= gangsters_just(*to);
	*to = (uint8_t)from;
	return 1;
}

unsigned fam_twin_make(struct famiglia *twin, const struct famiglia *original,
                       unsigned viewer, struct sim_random *random)
{
	struct pile *pile = &twin->pile;
	unsigned exchanged = 0;

	*twin = *original;
	for (unsigned i = pile->count; i > 1; i--) {
		unsigned j = sim_below(random, i);
		uint8_t other = pile->gangsters[j];

		pile->gangsters[j] = pile->gangsters[i - 1];
		pile->gangsters[i - 1] = other;
	}
	for (unsigned seat = 1; seat <= FAMIGLIA_SEATS; seat++) {
		unsigned count = sim_below(random, EXCHANGES_MAX + 1);

		if (seat == viewer || original->ending)
			continue;
		for (unsigned i = 0; i < count; i++)
			exchanged += exchange(twin, seat, random);
	}
	CHECK(famiglia_reachable(twin));
	return exchanged;
}
