/*
 * gather_pool.c - what the members share is under one lock, which is held only
 * to move statements from list to list: for each lane the statements that are
 * lent, and its pace; and for each member those that were given back to it.  A
 * member for which there were none is woken.
 *
 * A lent statement is in exactly one place: here, in the member that has
 * borrowed it, or among those given back.  Its owner counts it as unanswered
 * all the time.  Until it is given back, the owner does not touch its caller's
 * arena, where the answer is read to.
 */
#include "store/gather_pool.h"

#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "store/pace.h"

/* Between two times that statements of a lane are sent. */
static const uint64_t apart_ns = 3 * CLOCK_NS_PER_MS;

struct lane {
	struct pace pace;
	struct statement_queue lent;
};

struct member {
	int wake_fd;
	_Atomic uint64_t commit_ns; /* 0: none is under way */
	struct statement_queue answered;
};

struct gather_pool {
	pthread_mutex_t lock; /* guards all that follows */
	unsigned count;
	struct lane lanes[GATHER_LANES];
	struct member members[GATHER_POOL_MAX];
};

static void lock(struct gather_pool *pool)
{
	(void)pthread_mutex_lock(&pool->lock);
}

static void unlock(struct gather_pool *pool)
{
	(void)pthread_mutex_unlock(&pool->lock);
}

/* --- members -------------------------------------------------------------- */

struct gather_pool *gather_pool_open(void)
{
	struct gather_pool *pool = xcalloc(1, sizeof(*pool));

	(void)pthread_mutex_init(&pool->lock, NULL);
	for (unsigned lane = 0; lane < GATHER_LANES; lane++)
		pool->lanes[lane].pace.apart_ns = apart_ns;
	return pool;
}

void gather_pool_close(struct gather_pool *pool)
{
	if (!pool)
		return;
	(void)pthread_mutex_destroy(&pool->lock);
	free(pool);
}

unsigned gather_pool_join(struct gather_pool *pool)
{
	int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);

	memory_expect_descriptor(fd);
	lock(pool);
	unsigned number = pool->count++;
	assert(number < GATHER_POOL_MAX);
	pool->members[number].wake_fd = fd;
	unlock(pool);
	return number;
}

int gather_pool_fd(const struct gather_pool *pool, unsigned member)
{
	return pool->members[member].wake_fd;
}

void gather_pool_leave(struct gather_pool *pool, unsigned number)
{
	struct member *member = &pool->members[number];

	assert(!member->answered.head);
	member->commit_ns = 0;
	(void)close(member->wake_fd);
}

/* --- the pace ------------------------------------------------------------- */

void gather_pool_note_commit(struct gather_pool *pool, unsigned member,
                             uint64_t sent_ns)
{
	pool->members[member].commit_ns = sent_ns;
}

static uint64_t newest_commit_ns(const struct gather_pool *pool)
{
	uint64_t newest_ns = 0;

	for (unsigned i = 0; i < pool->count; i++) {
		uint64_t sent_ns = pool->members[i].commit_ns;

		if (sent_ns > newest_ns)
			newest_ns = sent_ns;
	}
	return newest_ns;
}

/*
 * Loads wait for no commit.  A member with enough moves waits for its own
 * commits only, or else the members would commit in turns.
 */
static uint64_t awaited_ns(const struct gather_pool *pool, unsigned member,
                           enum gather_lane lane, unsigned count)
{
	if (lane != GATHER_MOVES)
		return 0;
	return count < PACE_ENOUGH ? newest_commit_ns(pool)
	                           : pool->members[member].commit_ns;
}

uint64_t gather_pool_until_ns(struct gather_pool *pool, unsigned member,
                              enum gather_lane lane, unsigned count,
                              uint64_t queued_ns)
{
	struct lane *all = &pool->lanes[lane];

	lock(pool);
	uint64_t until_ns =
		pace_until_ns(&all->pace, count + all->lent.count, queued_ns,
	                      awaited_ns(pool, member, lane, count),
	                      clock_monotonic_ns());
	unlock(pool);
	return until_ns;
}

void gather_pool_note_sent(struct gather_pool *pool, enum gather_lane lane,
                           unsigned count, uint64_t sent_ns)
{
	lock(pool);
	pace_note_sent(&pool->lanes[lane].pace, count, sent_ns);
	unlock(pool);
}

/* --- statements ----------------------------------------------------------- */

void gather_pool_lend(struct gather_pool *pool, struct statement *statement)
{
	enum gather_lane lane = statement->query->gathering->lane;

	lock(pool);
	statement_push(&pool->lanes[lane].lent, statement);
	unlock(pool);
}

static void take_own(struct statement_queue *lent, unsigned member,
                     struct statement_queue *statements)
{
	struct statement *before = NULL;
	struct statement *next;

	for (struct statement *each = lent->head; each; each = next) {
		next = each->next;
		if (each->home == member)
			statement_push(statements,
			               statement_take(lent, before));
		else
			before = each;
	}
}

void gather_pool_take_back(struct gather_pool *pool, unsigned member,
                           struct statement_queue *statements)
{
	lock(pool);
	for (unsigned lane = 0; lane < GATHER_LANES; lane++)
		take_own(&pool->lanes[lane].lent, member, statements);
	unlock(pool);
}

void gather_pool_borrow(struct gather_pool *pool, enum gather_lane lane,
                        unsigned most, struct statement_queue *statements)
{
	struct statement_queue *lent = &pool->lanes[lane].lent;
	struct statement *statement;

	lock(pool);
	while (statements->count < most && (statement = statement_pop(lent)))
		statement_push(statements, statement);
	unlock(pool);
}

void gather_pool_give_back(struct gather_pool *pool,
                           struct statement *statement)
{
	struct member *member = &pool->members[statement->home];
	uint64_t one = 1;

	lock(pool);
	bool was_empty = !member->answered.head;
	statement_push(&member->answered, statement);
	/* It fails only if the member has been woken 2^64 times over. */
	if (was_empty)
		(void)!write(member->wake_fd, &one, sizeof(one));
	unlock(pool);
}

void gather_pool_take_answered(struct gather_pool *pool, unsigned number,
                               bool must_wait,
                               struct statement_queue *statements)
{
	struct member *member = &pool->members[number];
	struct pollfd fd = { .fd = member->wake_fd, .events = POLLIN };
	uint64_t wakes;

	if (must_wait)
		(void)poll(&fd, 1, -1);
	(void)!read(member->wake_fd, &wakes, sizeof(wakes));
	lock(pool);
	*statements = member->answered;
	member->answered = (struct statement_queue){ .head = NULL };
	unlock(pool);
}
