#include "loop/last_seen.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"

enum { KNOWN = 1 << 14 };

static const int64_t step_us = STORE_LAST_SEEN_STEP_S * CLOCK_US_PER_S;
static const uint64_t gather_ns = CLOCK_NS_PER_S; /* before they are noted */

/* In which step somebody was noted last; another may take the place. */
struct known {
	uint64_t who;
	int64_t step;
};

struct last_seen {
	struct known known[KNOWN];
	struct store_seen heard[STORE_SEEN_MAX];
	size_t count;
	uint64_t due_ns; /* when count is not 0 */
};

struct last_seen *last_seen_open(void)
{
	return xcalloc(1, sizeof(struct last_seen));
}

void last_seen_close(struct last_seen *presence)
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

void last_seen_note(struct last_seen *presence, struct uuid game,
                    const uint8_t token_hash[STORE_HASH_SIZE])
{
	int64_t step = clock_wall_us() / step_us;
	uint64_t who = name_of(game, token_hash);
	struct known *known = &presence->known[who % KNOWN];

	if (known->who == who && known->step == step)
		return;
	if (presence->count == STORE_SEEN_MAX)
		return;
	*known = (struct known){ who, step };
	if (presence->count == 0)
		presence->due_ns = clock_monotonic_ns() + gather_ns;
	struct store_seen *heard = &presence->heard[presence->count++];
	heard->game = game;
	memcpy(heard->token_hash, token_hash, STORE_HASH_SIZE);
	if (presence->count == STORE_SEEN_MAX)
		presence->due_ns = 0;
}

/* Some of those that are taken for noted are not: the next request is. */
static void on_noted(void *arg, const struct store_answer *answer)
{
	struct last_seen *presence = arg;

	if (answer->result != STORE_OK)
		memset(presence->known, 0, sizeof(presence->known));
}

void last_seen_flush(struct last_seen *presence, struct store *store)
{
	if (presence->count == 0 || clock_monotonic_ns() < presence->due_ns)
		return;
	store_update_last_seen(store, presence->heard, presence->count,
	                       on_noted, presence);
	presence->count = 0;
}

uint64_t last_seen_timeout_ns(const struct last_seen *presence)
{
	uint64_t now_ns;

	if (presence->count == 0)
		return UINT64_MAX;
	now_ns = clock_monotonic_ns();
	return presence->due_ns > now_ns ? presence->due_ns - now_ns : 0;
}
