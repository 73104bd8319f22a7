/*
 * The state of a game as bytes:
 *
 *   format, key 0, players, starter; and once started vacant seats, ending,
 *   last turn, whether the turn before was a pass, the turn, the pile, the
 *   discards, the street, and what each player owns.
 *
 * Gangsters are numbers as in gangster.h, sets of them eight bytes, the lowest
 * first.
 */
#include "base/bytes.h"
#include "famiglia/famiglia.h"

enum {
	FORMAT = 1,
	KEY_NONE = 0, /* the bytes are not encrypted */
	SET_BITS = 64,
};

static void put_set(struct bytes_out *out, uint64_t set)
{
	for (unsigned bit = 0; bit < SET_BITS; bit += 8)
		bytes_put(out, set >> bit & 0xff);
}

static uint64_t get_set(struct bytes_in *in)
{
	uint64_t set = 0;

	for (unsigned bit = 0; bit < SET_BITS; bit += 8)
		set |= (uint64_t)bytes_get(in) << bit;
	return set;
}

static bool get_bool(struct bytes_in *in)
{
	unsigned byte = bytes_get(in);

	if (byte > 1)
		in->short_of = true;
	return byte == 1;
}

static void put_list(struct bytes_out *out, const uint8_t *gangsters,
                     unsigned count)
{
	bytes_put(out, count);
	bytes_put_run(out, gangsters, count);
}

static uint8_t get_list(struct bytes_in *in, uint8_t *gangsters, unsigned max)
{
	unsigned count = bytes_get(in);

	if (count > max)
		in->short_of = true;
	else
		bytes_get_run(in, gangsters, count);
	return (uint8_t)count;
}

static void put_turn(struct bytes_out *out, const struct turn *turn)
{
	bytes_put(out, turn->number);
	bytes_put(out, turn->refills);
	bytes_put(out, turn->refilled_again);
	bytes_put(out, turn->swap.accountant);
	bytes_put_run(out, turn->swap.give, SWAP_MAX);
	bytes_put_run(out, turn->swap.take, SWAP_MAX);
	bytes_put(out, turn->threat.brute);
	bytes_put(out, turn->threat.target);
	bytes_put(out, turn->threat.by);
}

static void get_turn(struct bytes_in *in, struct turn *turn)
{
	turn->number = bytes_get(in);
	turn->refills = bytes_get(in);
	turn->refilled_again = get_bool(in);
	turn->swap.accountant = bytes_get(in);
	bytes_get_run(in, turn->swap.give, SWAP_MAX);
	bytes_get_run(in, turn->swap.take, SWAP_MAX);
	turn->threat.brute = bytes_get(in);
	turn->threat.target = bytes_get(in);
	turn->threat.by = bytes_get(in);
}

static void put_started(struct bytes_out *out, const struct famiglia *game)
{
	bytes_put(out, game->vacant);
	bytes_put(out, game->ending);
	bytes_put(out, game->last_turn);
	bytes_put(out, game->has_passed);
	put_turn(out, &game->turn);
	bytes_put(out, game->pile.second_pass);
	put_list(out, game->pile.gangsters, game->pile.count);
	put_set(out, game->pile.discards);
	put_list(out, game->street.gangsters, game->street.count);
	for (unsigned i = 0; i < FAMIGLIA_SEATS; i++) {
		put_set(out, game->sides[i].hand);
		put_set(out, game->sides[i].display);
	}
}

static void get_started(struct bytes_in *in, struct famiglia *game)
{
	game->vacant = bytes_get(in);
	game->ending = bytes_get(in);
	game->last_turn = bytes_get(in);
	game->has_passed = get_bool(in);
	get_turn(in, &game->turn);
	game->pile.second_pass = get_bool(in);
	game->pile.count = get_list(in, game->pile.gangsters, PILE_MAX);
	game->pile.discards = get_set(in);
	game->street.count = get_list(in, game->street.gangsters, STREET_MAX);
	for (unsigned i = 0; i < FAMIGLIA_SEATS; i++) {
		game->sides[i].hand = get_set(in);
		game->sides[i].display = get_set(in);
	}
}

size_t famiglia_encode(const struct famiglia *game, uint8_t *bytes)
{
	struct bytes_out out = { .start = bytes, .size = RULESET_STATE_MAX };

	bytes_put(&out, FORMAT);
	bytes_put(&out, KEY_NONE);
	bytes_put(&out, game->players);
	bytes_put(&out, game->starter);
	if (game->players)
		put_started(&out, game);
	/* The longest state is some 120 bytes. */
	return out.full ? 0 : out.len;
}

bool famiglia_decode(struct famiglia *game, const uint8_t *bytes, size_t len)
{
	struct bytes_in in = { .at = bytes, .left = len };
	struct famiglia read = { .players = 0 };

	bytes_expect(&in, FORMAT);
	bytes_expect(&in, KEY_NONE);
	read.players = bytes_get(&in);
	read.starter = bytes_get(&in);
	if (read.players)
		get_started(&in, &read);
	if (!bytes_all_read(&in) || !famiglia_valid(&read))
		return false;
	*game = read;
	return true;
}
