/*
 * handover.h - moves that were just committed, for the waiters of this process.
 *
 * The loop that commits a move has the game's new row and the events.  Waiters
 * of the game take these from here, in place of a load and a page of events
 * from the database.
 *
 * A handover is one move, copied, which nobody changes any more.  A struct
 * handovers belongs to a loop, and no other thread uses it.
 */
#pragma once

#include <stdint.h>
#include <sys/queue.h>

#include "base/arena.h"
#include "service/call.h"
#include "store/store.h"

struct handover;

/* A change that was committed.  Everything is borrowed. */
struct committed {
	struct uuid game;
	uint32_t version; /* SUBSCRIPTIONS_DELETED: the game was deleted */
	const struct store_move *move; /* NULL: waiters load the game */
	bool is_in_doubt; /* it may have been committed, or not yet */
	int64_t at_us;    /* of the move, by the database */
};

/*
 * Describe the decided move after its commit: the change of its own game, not
 * of the game whose rematch it is.  A move by which seats change is not handed
 * over, since it changes who may see the game.
 */
struct committed handover_committed(const struct call *call, int64_t at_us);

/* Copy the move of a commit, which has one.  Takes no ownership. */
struct handover *handover_make(const struct committed *committed);
void handover_free(struct handover *handover);

enum { HANDOVERS_BUCKETS = 256 };

TAILQ_HEAD(handover_list, handover);

struct handovers {
	LIST_HEAD(handover_bucket, handover) buckets[HANDOVERS_BUCKETS];
	struct handover_list all; /* the oldest first */
};

void handovers_init(struct handovers *handovers);
void handovers_fini(struct handovers *handovers);

/* Takes ownership of the handover. */
void handovers_add(struct handovers *handovers, struct handover *handover);

/* Free those that are too old to be found; and when there is one (monotonic);
 * UINT64_MAX: there is none.
 */
void handovers_forget(struct handovers *handovers);
uint64_t handovers_due_ns(const struct handovers *handovers);

/*
 * The game at just this version, as load.sql would give it without a key and
 * without stale seats; copied to the arena.  NULL: it is not here.
 */
const struct store_game *handovers_game(const struct handovers *handovers,
                                        struct uuid game, uint32_t version,
                                        struct arena *arena);

/*
 * All events of a page, as events.sql would give them, copied to the arena;
 * returns how many.  0: they are not all here.
 */
size_t handovers_events(const struct handovers *handovers, struct uuid game,
                        struct store_page page, struct arena *arena,
                        const struct store_event **events);
