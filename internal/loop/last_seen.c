/*
 * last_seen.c - two tables.  noted has the players that the next statement
 * records.  recent has, by a hash of the player, when the player was noted
 * last: the time step, the version and the place in noted; and until when the
 * look of a load, which found the player not stale, counts.  So a player is
 * noted once per step, and once more for a newer version.  A player overwrites
 * another one with the same hash: then one of them is noted once too often,
 * perhaps with an older version; the statement takes the newest.  When a
 * statement fails, recent is emptied, so that those players are noted again by
 * their next request.
 */
#include "loop/last_seen.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"

/*
 * With 12,000 players of a loop one in eleven shares a place; each time that
 * two of them take turns one more row is written.
 */
enum { RECENT_BITS = 17, RECENT_MAX = 1 << RECENT_BITS };

/* Of half of absence_s: for how long a look does not count. */
enum { MARGIN_S = 40, LOOK_MAX_S = 600 };

static const int64_t step_us = STORE_LAST_SEEN_STEP_S * CLOCK_US_PER_S;
static const uint64_t gather_ns = CLOCK_NS_PER_S; /* until the statement */

struct recent {
	uint64_t key;
	int64_t step;
	int64_t checked_until; /* the last step in which a look counts */
	uint32_t version;
	uint32_t place;
};

struct last_seen {
	struct recent recent[RECENT_MAX];
	struct store_caller noted[STORE_LAST_SEEN_MAX];
	size_t count;
	uint64_t due_ns; /* when count is not 0 */
};

struct last_seen *last_seen_open(void)
{
	return xcalloc(1, sizeof(struct last_seen));
}

void last_seen_close(struct last_seen *last_seen)
{
	free(last_seen);
}

/*
 * A token's hash is as good as random; the players of a rematch keep their
 * tokens, but its id differs.
 */
static uint64_t key_of(struct uuid game, const uint8_t *token_hash)
{
	uint64_t key;
	uint64_t game_part;

	memcpy(&key, token_hash, sizeof(key));
	memcpy(&game_part, game.bytes + sizeof(game.bytes) - sizeof(game_part),
	       sizeof(game_part));
	return key ^ game_part;
}

/*
 * The product depends in its high bits on all bits of the key: games that
 * players made one after the other may differ in a few bits only.
 */
static size_t place_of(uint64_t key)
{
	const uint64_t golden_ratio = 0x9e3779b97f4a7c15;

	return (size_t)(key * golden_ratio >> (64 - RECENT_BITS));
}

static int64_t present_step(void)
{
	return clock_wall_us() / step_us;
}

bool last_seen_is_checked(const struct last_seen *last_seen, struct uuid game,
                          const uint8_t token_hash[STORE_HASH_SIZE])
{
	uint64_t key = key_of(game, token_hash);
	const struct recent *recent = &last_seen->recent[place_of(key)];

	return recent->key == key && recent->checked_until >= present_step();
}

static void note_until(struct last_seen *last_seen, struct uuid game,
                       const uint8_t *token_hash, int64_t until)
{
	uint64_t key = key_of(game, token_hash);
	struct recent *recent = &last_seen->recent[place_of(key)];

	if (recent->key == key)
		recent->checked_until = until;
}

void last_seen_note_check(struct last_seen *last_seen, struct uuid game,
                          const uint8_t token_hash[STORE_HASH_SIZE],
                          uint32_t absence_s)
{
	uint32_t half_s = absence_s / 2;
	uint32_t counts_s = LOOK_MAX_S;

	if (absence_s && half_s < LOOK_MAX_S + MARGIN_S)
		counts_s = half_s > MARGIN_S ? half_s - MARGIN_S : 0;
	/* The present step counts whole. */
	note_until(last_seen, game, token_hash,
	           present_step() + counts_s / STORE_LAST_SEEN_STEP_S - 1);
}

void last_seen_note_failure(struct last_seen *last_seen, struct uuid game,
                            const uint8_t token_hash[STORE_HASH_SIZE])
{
	note_until(last_seen, game, token_hash, present_step());
}

/* The player's entry in noted; NULL if there is no entry. */
static struct store_caller *find_noted(struct last_seen *last_seen,
                                       const struct recent *recent,
                                       const struct store_caller *caller)
{
	struct store_caller *noted = &last_seen->noted[recent->place];

	return recent->place < last_seen->count &&
	                       memcmp(&noted->game, &caller->game,
	                              sizeof(noted->game)) == 0 &&
	                       memcmp(noted->token_hash, caller->token_hash,
	                              STORE_HASH_SIZE) == 0
	               ? noted
	               : NULL;
}

static void add(struct last_seen *last_seen, const struct store_caller *caller)
{
	if (last_seen->count == 0)
		last_seen->due_ns = clock_monotonic_ns() + gather_ns;
	last_seen->noted[last_seen->count++] = *caller;
	if (last_seen->count == STORE_LAST_SEEN_MAX)
		last_seen->due_ns = 0;
}

void last_seen_note(struct last_seen *last_seen,
                    const struct store_caller *caller)
{
	uint64_t key = key_of(caller->game, caller->token_hash);
	uint32_t version = caller->version;
	struct recent *recent = &last_seen->recent[place_of(key)];

	if (recent->key != key)
		*recent = (struct recent){ .key = key,
			                   .step = -1,
			                   .checked_until = -1 };
	if (recent->step == present_step() && version <= recent->version)
		return;
	struct store_caller *noted = find_noted(last_seen, recent, caller);
	if (noted) {
		if (noted->version < version)
			noted->version = version;
	} else if (last_seen->count < STORE_LAST_SEEN_MAX) {
		recent->place = (uint32_t)last_seen->count;
		add(last_seen, caller);
	} else {
		return;
	}
	recent->step = present_step();
	if (recent->version < version)
		recent->version = version;
}

static void on_recorded(void *arg, const struct store_answer *answer)
{
	struct last_seen *last_seen = arg;

	if (answer->result != STORE_OK)
		memset(last_seen->recent, 0, sizeof(last_seen->recent));
}

void last_seen_flush(struct last_seen *last_seen, struct store *store)
{
	if (last_seen->count == 0 || clock_monotonic_ns() < last_seen->due_ns)
		return;
	store_update_last_seen(store, last_seen->noted, last_seen->count,
	                       on_recorded, last_seen);
	last_seen->count = 0;
}

uint64_t last_seen_due_ns(const struct last_seen *last_seen)
{
	return last_seen->count ? last_seen->due_ns : UINT64_MAX;
}
