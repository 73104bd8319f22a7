#include "loop/presence.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"

enum { KNOWN = 1 << 14 };

static const int64_t step_us = STORE_HEARD_STEP_S * CLOCK_US_PER_S;
static const uint64_t gather_ns = CLOCK_NS_PER_S; /* before they are noted */

/* In which step somebody was noted last; another may take the place. */
struct known {
	uint64_t who;
	int64_t step;
};

struct presence {
	struct known known[KNOWN];
	struct store_heard heard[STORE_HEARD_MAX];
	size_t count;
	uint64_t due_ns; /* when count is not 0 */
};

struct presence *presence_open(void)
{
	return memory_take_zeroed(sizeof(struct presence));
}

void presence_close(struct presence *presence)
{
	free(presence);
}

/* The hash of a token is as good as chance; of its rematch the game differs. */
static uint64_t name_of(struct uuid game, const uint8_t *token_hash)
{
	uint64_t who;
	uint64_t where;

	memcpy(&who, token_hash, sizeof(who));
	memcpy(&where, game.bytes + sizeof(game.bytes) - sizeof(where),
	       sizeof(where));
	return who ^ where;
}

void presence_hear(struct presence *presence, struct uuid game,
                   const uint8_t token_hash[STORE_HASH_SIZE])
{
	int64_t step = clock_wall_us() / step_us;
	uint64_t who = name_of(game, token_hash);
	struct known *known = &presence->known[who % KNOWN];

	if (known->who == who && known->step == step)
		return;
	if (presence->count == STORE_HEARD_MAX)
		return;
	*known = (struct known){ who, step };
	if (presence->count == 0)
		presence->due_ns = clock_monotonic_ns() + gather_ns;
	struct store_heard *heard = &presence->heard[presence->count++];
	heard->game = game;
	memcpy(heard->token_hash, token_hash, STORE_HASH_SIZE);
	if (presence->count == STORE_HEARD_MAX)
		presence->due_ns = 0;
}

/* Some of those that are taken for noted are not: the next request is. */
static void on_noted(void *arg, enum store_result result, int64_t at_us)
{
	struct presence *presence = arg;

	(void)at_us;
	if (result != STORE_OK)
		memset(presence->known, 0, sizeof(presence->known));
}

void presence_flush(struct presence *presence, struct store *store)
{
	if (presence->count == 0 || clock_monotonic_ns() < presence->due_ns)
		return;
	store_hear(store, presence->heard, presence->count, on_noted, presence);
	presence->count = 0;
}

uint64_t presence_timeout_ns(const struct presence *presence)
{
	uint64_t now_ns;

	if (presence->count == 0)
		return UINT64_MAX;
	now_ns = clock_monotonic_ns();
	return presence->due_ns > now_ns ? presence->due_ns - now_ns : 0;
}
