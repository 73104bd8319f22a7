/*
 * handover.c - a handover is in a list by age, and in a bucket by its game.  It
 * is found for as long as its waiters need to be woken, and freed then: the row
 * has hidden cards in the clear.
 *
 * A game has a handover for each move, since a waiter may need the events of
 * several; the newest comes first in its bucket.
 *
 * A row is handed over only if the commit compared its version, so no move came
 * between the load that it was decided on and the commit.  push_seats has no
 * version, and may be as old as that load.
 */
#include "loop/handover.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "loop/game_copy.h"

static const uint64_t lifetime_ns = 100 * CLOCK_NS_PER_MS;

/* A loop that sleeps is woken once for all that have ended in this time. */
static const uint64_t slack_ns = 100 * CLOCK_NS_PER_MS;

struct handover {
	LIST_ENTRY(handover) in_bucket;
	TAILQ_ENTRY(handover) in_all;
	uint64_t made_ns;
	struct arena arena; /* of all that follows */
	const struct store_game *game;
	const struct store_event *events;
	size_t events_count;
};

/* --- copies --------------------------------------------------------------- */

static const uint8_t *copy_bytes(struct arena *arena, const uint8_t *bytes,
                                 size_t len)
{
	return bytes ? (const uint8_t *)arena_strndup(arena,
	                                              (const char *)bytes, len)
	             : NULL;
}

/* Without the data for replays, which no page has. */
static void copy_event(struct arena *arena, const struct store_event *from,
                       struct store_event *event)
{
	*event = *from;
	event->public_data =
		copy_bytes(arena, from->public_data, from->public_len);
	event->private_data =
		copy_bytes(arena, from->private_data, from->private_len);
	event->replay_data = NULL;
	event->replay_len = 0;
}

struct committed handover_committed(const struct call *call, int64_t at_us)
{
	const struct store_move *move = &call->decided.move;
	bool is_plain = !call->decided.ended && !store_changes_seats(move);

	return (struct committed){
		.game = call->game.id,
		.version = call->game.table.version,
		.move = is_plain ? move : NULL,
		.at_us = at_us,
	};
}

struct handover *handover_make(const struct committed *committed)
{
	const struct store_move *move = committed->move;
	struct handover *handover = xcalloc(1, sizeof(*handover));
	struct arena *arena = &handover->arena;
	struct store_event *events;
	struct store_game *game;

	arena_init(arena);
	handover->made_ns = clock_monotonic_ns();
	game = game_copy_to(arena, move->game);
	game->updated_us = committed->at_us;
	events = arena_alloc(arena, move->events_count * sizeof(*events));
	for (size_t i = 0; i < move->events_count; i++) {
		copy_event(arena, &move->events[i], &events[i]);
		events[i].at_us = committed->at_us;
	}
	handover->game = game;
	handover->events = events;
	handover->events_count = move->events_count;
	return handover;
}

void handover_free(struct handover *handover)
{
	if (!handover)
		return;
	arena_fini(&handover->arena);
	free(handover);
}

/* --- those of a loop ------------------------------------------------------ */

void handovers_init(struct handovers *handovers)
{
	for (unsigned i = 0; i < HANDOVERS_BUCKETS; i++)
		LIST_INIT(&handovers->buckets[i]);
	TAILQ_INIT(&handovers->all);
}

static void forget(struct handovers *handovers, struct handover *handover)
{
	LIST_REMOVE(handover, in_bucket);
	TAILQ_REMOVE(&handovers->all, handover, in_all);
	handover_free(handover);
}

void handovers_fini(struct handovers *handovers)
{
	struct handover *oldest = TAILQ_FIRST(&handovers->all);
	struct handover *next;

	for (; oldest; oldest = next) {
		next = TAILQ_NEXT(oldest, in_all);
		forget(handovers, oldest);
	}
}

/* The games are ones that were moved here, so clients cannot choose the ids. */
static struct handover_bucket *bucket_of(const struct handovers *handovers,
                                         struct uuid game)
{
	size_t last = game.bytes[sizeof(game.bytes) - 1];

	return (struct handover_bucket *)(uintptr_t)&handovers
	        ->buckets[last % HANDOVERS_BUCKETS];
}

void handovers_add(struct handovers *handovers, struct handover *handover)
{
	LIST_INSERT_HEAD(bucket_of(handovers, handover->game->id), handover,
	                 in_bucket);
	TAILQ_INSERT_TAIL(&handovers->all, handover, in_all);
}

void handovers_forget(struct handovers *handovers)
{
	uint64_t now_ns = clock_monotonic_ns();
	struct handover *oldest = TAILQ_FIRST(&handovers->all);
	struct handover *next;

	for (; oldest && oldest->made_ns + lifetime_ns <= now_ns;
	     oldest = next) {
		next = TAILQ_NEXT(oldest, in_all);
		forget(handovers, oldest);
	}
}

uint64_t handovers_due_ns(const struct handovers *handovers)
{
	const struct handover *oldest = TAILQ_FIRST(&handovers->all);

	return oldest ? oldest->made_ns + lifetime_ns + slack_ns : UINT64_MAX;
}

/* The move that led to this version of the game, or NULL. */
static const struct handover *find(const struct handovers *handovers,
                                   struct uuid game, uint32_t version)
{
	const struct handover *handover =
		LIST_FIRST(bucket_of(handovers, game));
	uint64_t now_ns = clock_monotonic_ns();

	while (handover &&
	       (handover->game->version != version ||
	        memcmp(&handover->game->id, &game, sizeof(game)) != 0))
		handover = LIST_NEXT(handover, in_bucket);
	return handover && handover->made_ns + lifetime_ns > now_ns ? handover
	                                                            : NULL;
}

const struct store_game *handovers_game(const struct handovers *handovers,
                                        struct uuid game, uint32_t version,
                                        struct arena *arena)
{
	const struct handover *handover = find(handovers, game, version);

	return handover ? game_copy_to(arena, handover->game) : NULL;
}

/* Move by move, backwards from the last version of the page. */
size_t handovers_events(const struct handovers *handovers, struct uuid game,
                        struct store_page page, struct arena *arena,
                        const struct store_event **events)
{
	size_t count = page.up_to > page.after ? page.up_to - page.after : 0;
	size_t left = count;
	const struct handover *handover;

	if (count == 0 || count > page.limit || count > STORE_EVENTS_MAX)
		return 0;
	struct store_event *copies =
		arena_alloc(arena, count * sizeof(*copies));
	while (left > 0) {
		handover = find(handovers, game, page.after + (uint32_t)left);
		if (!handover)
			return 0;
		for (size_t i = handover->events_count; i > 0 && left > 0; i--)
			copy_event(arena, &handover->events[i - 1],
			           &copies[--left]);
	}
	*events = copies;
	return count;
}
