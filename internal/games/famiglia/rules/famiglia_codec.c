/*
 * The state of a game as bytes:
 *
 *   players, starter; and once started vacant seats, ending, the seat that
 *   forfeited, last turn, whether the turn before was a pass, the turn, the
 *   pile, the discards, the street, and the cards of each player
 *
 * Each code_...() writes or reads one part; table/snapshot.h adds the format
 * and a checksum.  Gangsters are numbers as in gangster.h, sets of them eight
 * bytes, the lowest first.
 *
 * Every format stays readable.  Format 1 had no forfeits, up to format 2 there
 * was no checksum, and up to format 3 a zero followed the format.
 */
#include "games/famiglia/rules/famiglia.h"
#include "table/snapshot.h"

enum { FORMAT_FIRST = 1 };

static const struct snapshot_formats formats = {
	.newest = 4,
	.checked = 3,
	.unpadded = 4,
};

/* The state in the lobby, which the log of a rematch has to hold. */
enum { LOBBY_BYTES = SNAPSHOT_FRAME + 2 };
_Static_assert((int)LOBBY_BYTES <= (int)REMATCH_STATE_MAX, "a rematch fits");

static void code_turn(struct snapshot *snapshot, struct turn *turn)
{
	snapshot_u8(snapshot, &turn->number);
	snapshot_u8(snapshot, &turn->refills);
	snapshot_bool(snapshot, &turn->refilled_again);
	snapshot_u8(snapshot, &turn->swap.accountant);
	snapshot_bytes(snapshot, turn->swap.give, SWAP_MAX);
	snapshot_bytes(snapshot, turn->swap.take, SWAP_MAX);
	snapshot_u8(snapshot, &turn->threat.brute);
	snapshot_u8(snapshot, &turn->threat.target);
	snapshot_u8(snapshot, &turn->threat.by);
}

static void code_game(struct snapshot *snapshot, struct famiglia *game)
{
	snapshot_u8(snapshot, &game->players);
	snapshot_u8(snapshot, &game->starter);
	if (!game->players)
		return;
	snapshot_u8(snapshot, &game->vacant);
	snapshot_u8(snapshot, &game->ending);
	if (snapshot->format > FORMAT_FIRST)
		snapshot_u8(snapshot, &game->forfeiter);
	snapshot_u8(snapshot, &game->last_turn);
	snapshot_bool(snapshot, &game->has_passed);
	code_turn(snapshot, &game->turn);
	snapshot_bool(snapshot, &game->pile.second_pass);
	snapshot_list(snapshot, &game->pile.count, game->pile.gangsters,
	              PILE_MAX);
	snapshot_u64(snapshot, &game->pile.discards);
	snapshot_list(snapshot, &game->street.count, game->street.gangsters,
	              STREET_MAX);
	for (unsigned i = 0; i < FAMIGLIA_SEATS; i++) {
		snapshot_u64(snapshot, &game->sides[i].hand);
		snapshot_u64(snapshot, &game->sides[i].display);
	}
}

size_t famiglia_encode(const void *state, uint8_t *bytes)
{
	const struct famiglia *game = state;
	struct famiglia copy = *game;
	struct snapshot snapshot;

	snapshot_write(&snapshot, bytes, &formats);
	code_game(&snapshot, &copy);
	/* The longest state is some 120 bytes. */
	return snapshot_written(&snapshot);
}

bool famiglia_decode(void *state, const uint8_t *bytes, size_t len)
{
	struct famiglia *game = state;
	struct famiglia read = { .players = 0 };
	struct snapshot snapshot;

	if (!snapshot_read(&snapshot, bytes, len, &formats))
		return false;
	code_game(&snapshot, &read);
	if (!get_all_read(&snapshot.in) || !famiglia_valid(&read))
		return false;
	*game = read;
	return true;
}
