/*
 * The payload of an event from which gangctl replay decides a move again:
 * format, verb, seat, arguments, and the seed if the move drew numbers.
 * Format 1 wrote all 16 arguments there were then; later ones write how many
 * follow, and the others are zeros.  Up to format 2 a zero followed the format.
 * All are read, only format 3 is written.
 *
 * The length shows through the encryption at rest, so it must not depend on
 * what is chosen in secret: card 0 and a vote against are zeros, too.  A move
 * of a player has room for all its arguments.  An action that needs more than
 * those has all there are.
 */
#include "service/replay_data.h"

#include <assert.h>

#include "base/bytes.h"

enum {
	FORMAT_FIRST = 1,
	FORMAT_UNPADDED = 3,
	FORMAT = 3,
	ARGS_FIRST = 16,
	ARGS_MOVE = 8,
};

static unsigned args_count(const struct action *action)
{
	unsigned used = ACTION_ARGS_MAX;

	while (used > 0 && !action->args[used - 1])
		used--;
	return used <= ARGS_MOVE ? ARGS_MOVE : ACTION_ARGS_MAX;
}

size_t replay_data_write(const struct action *action, const struct rng *rng,
                         uint8_t *bytes)
{
	struct bytes_out out = { .start = bytes, .size = REPLAY_DATA_MAX };

	put_u8(&out, FORMAT);
	put_u8(&out, action->verb);
	put_u8(&out, action->seat);
	put_u8(&out, args_count(action));
	put_bytes(&out, action->args, args_count(action));
	if (rng->used)
		put_bytes(&out, rng->seed, RNG_SEED_SIZE);
	assert(!out.full);
	return out.len;
}

bool replay_data_read(const uint8_t *bytes, size_t len, struct action *action,
                      struct rng *rng, bool *has_seed)
{
	struct bytes_in in = { .at = bytes, .left = len };
	uint8_t seed[RNG_SEED_SIZE] = { 0 };
	struct action read = { .verb = VERB_NONE };
	unsigned format = get_u8(&in);

	if (format < FORMAT_FIRST || format > FORMAT)
		return false;
	if (format < FORMAT_UNPADDED)
		get_expected(&in, 0);
	read.verb = get_u8(&in);
	read.seat = get_u8(&in);
	unsigned count = format > FORMAT_FIRST ? get_u8(&in) : ARGS_FIRST;
	if (count > ACTION_ARGS_MAX)
		return false;
	get_bytes(&in, read.args, count);
	bool seeded = in.left > 0;
	if (seeded)
		get_bytes(&in, seed, RNG_SEED_SIZE);
	if (!get_all_read(&in))
		return false;
	*action = read;
	*has_seed = seeded;
	rng_init(rng, seed);
	return true;
}
