/*
 * The state of a game as bytes:
 *
 *   format, key 0, players, starter; and once started vacant seats, ending,
 *   the seat that forfeited (from format 2 on), last turn, whether the turn
 *   before was a pass, the turn, the pile, the discards, the street, and what
 *   each player owns; and at the end, from format 3 on, a checksum of all
 *   before it.
 *
 * Gangsters are numbers as in gangster.h, sets of them eight bytes, the lowest
 * first.
 */
#include "base/bytes.h"
#include "famiglia/famiglia.h"

enum {
	FORMAT_FIRST = 1,
	FORMAT_SECOND = 2,
	FORMAT = 3,
	KEY_NONE = 0, /* the bytes are not encrypted */
};

static void put_turn(struct bytes_out *out, const struct turn *turn)
{
	put_u8(out, turn->number);
	put_u8(out, turn->refills);
	put_u8(out, turn->refilled_again);
	put_u8(out, turn->swap.accountant);
	put_bytes(out, turn->swap.give, SWAP_MAX);
	put_bytes(out, turn->swap.take, SWAP_MAX);
	put_u8(out, turn->threat.brute);
	put_u8(out, turn->threat.target);
	put_u8(out, turn->threat.by);
}

static void get_turn(struct bytes_in *in, struct turn *turn)
{
	turn->number = get_u8(in);
	turn->refills = get_u8(in);
	turn->refilled_again = get_bool(in);
	turn->swap.accountant = get_u8(in);
	get_bytes(in, turn->swap.give, SWAP_MAX);
	get_bytes(in, turn->swap.take, SWAP_MAX);
	turn->threat.brute = get_u8(in);
	turn->threat.target = get_u8(in);
	turn->threat.by = get_u8(in);
}

static void put_started(struct bytes_out *out, const struct famiglia *game)
{
	put_u8(out, game->vacant);
	put_u8(out, game->ending);
	put_u8(out, game->forfeiter);
	put_u8(out, game->last_turn);
	put_u8(out, game->has_passed);
	put_turn(out, &game->turn);
	put_u8(out, game->pile.second_pass);
	put_list(out, game->pile.gangsters, game->pile.count);
	put_u64le(out, game->pile.discards);
	put_list(out, game->street.gangsters, game->street.count);
	for (unsigned i = 0; i < FAMIGLIA_SEATS; i++) {
		put_u64le(out, game->sides[i].hand);
		put_u64le(out, game->sides[i].display);
	}
}

static void get_started(struct bytes_in *in, struct famiglia *game,
                        unsigned format)
{
	game->vacant = get_u8(in);
	game->ending = get_u8(in);
	if (format != FORMAT_FIRST)
		game->forfeiter = get_u8(in);
	game->last_turn = get_u8(in);
	game->has_passed = get_bool(in);
	get_turn(in, &game->turn);
	game->pile.second_pass = get_bool(in);
	game->pile.count = get_list(in, game->pile.gangsters, PILE_MAX);
	game->pile.discards = get_u64le(in);
	game->street.count = get_list(in, game->street.gangsters, STREET_MAX);
	for (unsigned i = 0; i < FAMIGLIA_SEATS; i++) {
		game->sides[i].hand = get_u64le(in);
		game->sides[i].display = get_u64le(in);
	}
}

size_t famiglia_encode(const void *state, uint8_t *bytes)
{
	const struct famiglia *game = state;
	struct bytes_out out = { .start = bytes, .size = RULESET_STATE_MAX };

	put_u8(&out, FORMAT);
	put_u8(&out, KEY_NONE);
	put_u8(&out, game->players);
	put_u8(&out, game->starter);
	if (game->players)
		put_started(&out, game);
	put_checksum(&out);
	/* The longest state is some 120 bytes. */
	return out.full ? 0 : out.len;
}

bool famiglia_decode(void *state, const uint8_t *bytes, size_t len)
{
	struct famiglia *game = state;
	struct bytes_in in = { .at = bytes, .left = len };
	struct famiglia read = { .players = 0 };
	unsigned format = len ? bytes[0] : 0;

	if (format < FORMAT_FIRST || format > FORMAT)
		return false;
	if (format > FORMAT_SECOND)
		get_checksum(&in);
	if (in.broken)
		return false;
	get_expected(&in, format);
	get_expected(&in, KEY_NONE);
	read.players = get_u8(&in);
	read.starter = get_u8(&in);
	if (read.players)
		get_started(&in, &read, format);
	if (!get_all_read(&in) || !famiglia_valid(&read))
		return false;
	*game = read;
	return true;
}
