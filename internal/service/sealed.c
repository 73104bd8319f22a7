#include "service/sealed.h"

#include <assert.h>

#include "base/bytes.h"

enum {
	FORMAT_FIRST = 1, /* all of 16 arguments */
	FORMAT = 2,       /* as many as are not zero, and how many */
	ARGS_FIRST = 16,
	KEY_NONE = 0, /* the bytes are not encrypted */
};

static unsigned args_count(const struct action *action)
{
	unsigned count = ACTION_ARGS_MAX;

	while (count > 0 && action->args[count - 1] == 0)
		count--;
	return count;
}

size_t sealed_write(const struct action *action, const struct chance *chance,
                    uint8_t *bytes)
{
	struct bytes_out out = { .start = bytes, .size = SEALED_MAX };

	bytes_put(&out, FORMAT);
	bytes_put(&out, KEY_NONE);
	bytes_put(&out, action->verb);
	bytes_put(&out, action->seat);
	bytes_put(&out, args_count(action));
	bytes_put_run(&out, action->args, args_count(action));
	if (chance->used)
		bytes_put_run(&out, chance->seed, CHANCE_SEED_SIZE);
	assert(!out.full);
	return out.len;
}

bool sealed_read(const uint8_t *bytes, size_t len, struct action *action,
                 struct chance *chance, bool *has_seed)
{
	struct bytes_in in = { .at = bytes, .left = len };
	uint8_t seed[CHANCE_SEED_SIZE] = { 0 };
	struct action read = { .verb = VERB_NONE };
	unsigned format = bytes_get(&in);

	if (format != FORMAT_FIRST && format != FORMAT)
		return false;
	bytes_expect(&in, KEY_NONE);
	read.verb = bytes_get(&in);
	read.seat = bytes_get(&in);
	unsigned count = format == FORMAT ? bytes_get(&in) : ARGS_FIRST;
	if (count > ACTION_ARGS_MAX)
		return false;
	bytes_get_run(&in, read.args, count);
	bool seeded = in.left > 0;
	if (seeded)
		bytes_get_run(&in, seed, CHANCE_SEED_SIZE);
	if (!bytes_all_read(&in))
		return false;
	*action = read;
	*has_seed = seeded;
	chance_init(chance, seed);
	return true;
}
