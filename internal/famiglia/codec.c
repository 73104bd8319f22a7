/*
 * The state of a game as bytes:
 *
 *   format, key 0, players, starter; and once started vacant seats, ending,
 *   the seat that forfeited (from format 2 on), last turn, whether the turn
 * before was a pass, the turn, the pile, the discards, the street, and what
 * each player owns.
 *
 * Gangsters are numbers as in gangster.h, sets of them eight bytes, the lowest
 * first.
 */
#include "base/bytes.h"
#include "famiglia/famiglia.h"

enum {
	FORMAT_FIRST = 1,
	FORMAT = 2,
	KEY_NONE = 0, /* the bytes are not encrypted */
};

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
	turn->refilled_again = bytes_get_bool(in);
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
	bytes_put(out, game->forfeiter);
	bytes_put(out, game->last_turn);
	bytes_put(out, game->has_passed);
	put_turn(out, &game->turn);
	bytes_put(out, game->pile.second_pass);
	bytes_put_list(out, game->pile.gangsters, game->pile.count);
	bytes_put_wide(out, game->pile.discards);
	bytes_put_list(out, game->street.gangsters, game->street.count);
	for (unsigned i = 0; i < FAMIGLIA_SEATS; i++) {
		bytes_put_wide(out, game->sides[i].hand);
		bytes_put_wide(out, game->sides[i].display);
	}
}

static void get_started(struct bytes_in *in, struct famiglia *game,
                        unsigned format)
{
	game->vacant = bytes_get(in);
	game->ending = bytes_get(in);
	if (format != FORMAT_FIRST)
		game->forfeiter = bytes_get(in);
	game->last_turn = bytes_get(in);
	game->has_passed = bytes_get_bool(in);
	get_turn(in, &game->turn);
	game->pile.second_pass = bytes_get_bool(in);
	game->pile.count = bytes_get_list(in, game->pile.gangsters, PILE_MAX);
	game->pile.discards = bytes_get_wide(in);
	game->street.count =
		bytes_get_list(in, game->street.gangsters, STREET_MAX);
	for (unsigned i = 0; i < FAMIGLIA_SEATS; i++) {
		game->sides[i].hand = bytes_get_wide(in);
		game->sides[i].display = bytes_get_wide(in);
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
	unsigned format = bytes_get(&in);

	if (format != FORMAT_FIRST && format != FORMAT)
		return false;
	bytes_expect(&in, KEY_NONE);
	read.players = bytes_get(&in);
	read.starter = bytes_get(&in);
	if (read.players)
		get_started(&in, &read, format);
	if (!bytes_all_read(&in) || !famiglia_valid(&read))
		return false;
	*game = read;
	return true;
}
