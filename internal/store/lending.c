/*
 * lending.c - in each flush a store first takes back what it has lent and
 * nobody has borrowed.  Then it decides for loads, and for moves, whether they
 * wait (pace.h): if they do, it lends them again.  If they do not wait, and it
 * can send them now, it borrows what others have lent, so that all go together.
 *
 * So a lent statement waits no longer than until its owner's next flush after
 * lent_until_ns, whatever other stores do.  A borrowed one is queued like the
 * store's own: it is never lent on, since only its owner would take it back.
 */
#include "store/lending.h"

#include "base/clock.h"
#include "store/gather.h"

static const enum statement_kind kinds[GATHER_LANES] = {
	[GATHER_LOADS] = STATEMENT_READ,
	[GATHER_MOVES] = STATEMENT_COMMIT,
};

bool store_has_borrowed(const struct store *store)
{
	return store->borrowed > 0;
}

void lending_open(struct store *store)
{
	store->owns_pool = !store->config.pool;
	store->pool =
		store->owns_pool ? gather_pool_open() : store->config.pool;
	store->member = gather_pool_join(store->pool);
}

void lending_close(struct store *store)
{
	gather_pool_leave(store->pool, store->member);
	if (store->owns_pool)
		gather_pool_close(store->pool);
}

/* --- what waits ----------------------------------------------------------- */

static bool is_of(const struct statement *statement, enum gather_lane lane)
{
	return gather_takes(statement) &&
	       statement->query->gathering->lane == lane;
}

struct queued {
	unsigned count;
	uint64_t since_ns; /* of the one that was queued first */
	bool is_urgent;    /* one must not wait */
};

/* The queued statements of a lane. */
static struct queued find_queued(const struct store *store,
                                 enum gather_lane lane)
{
	const struct statement *each = store->queues.of[kinds[lane]].head;
	struct queued queued = { .since_ns = UINT64_MAX };

	for (; each; each = each->next) {
		if (!is_of(each, lane))
			continue;
		queued.count++;
		queued.is_urgent = queued.is_urgent || each->is_urgent;
		if (each->queued_ns < queued.since_ns)
			queued.since_ns = each->queued_ns;
	}
	return queued;
}

static unsigned count_sharers(const struct statement *statement)
{
	const struct statement *sharer = statement->sharers;
	unsigned count = 0;

	for (; sharer; sharer = sharer->next)
		count++;
	return count;
}

static void lend(struct store *store, enum gather_lane lane, uint64_t until_ns)
{
	struct statement_queue *queue = &store->queues.of[kinds[lane]];
	struct statement *before = NULL;
	struct statement *next;

	for (struct statement *each = queue->head; each; each = next) {
		next = each->next;
		if (is_of(each, lane) && each->home == store->member)
			gather_pool_lend(store->pool,
			                 statement_take(queue, before));
		else
			before = each;
	}
	if (!store->lent_until_ns || until_ns < store->lent_until_ns)
		store->lent_until_ns = until_ns;
}

/*
 * A borrowed statement shares no answer with an own one yet: if it cannot be
 * sent now, the own one may be lent after all, and would take it along.
 */
static void borrow(struct store *store, enum gather_lane lane, unsigned most)
{
	struct statement_queue *queue = &store->queues.of[kinds[lane]];
	struct statement_queue borrowed = { .head = NULL };
	struct statement *statement;

	gather_pool_borrow(store->pool, lane, most, &borrowed);
	while ((statement = statement_pop(&borrowed))) {
		unsigned count = 1 + count_sharers(statement);

		store->unanswered += count;
		store->borrowed += count;
		statement_insert_by_deadline(queue, statement);
	}
}

void lending_take_back(struct store *store)
{
	struct statement_queue own = { .head = NULL };
	struct statement *statement;

	if (!store->lent_until_ns)
		return;
	store->lent_until_ns = 0;
	gather_pool_take_back(store->pool, store->member, &own);
	while ((statement = statement_pop(&own)))
		batch_queue(&store->queues, statement);
}

/* --- in a flush ----------------------------------------------------------- */

static void note_commits(const struct store *store)
{
	uint64_t newest_ns = 0;

	for (unsigned i = 0; i < store->config.connections; i++) {
		const struct connection *connection = &store->connections[i];

		if (connection->pg && connection->is_busy &&
		    connection->may_commit && connection->sent_ns > newest_ns)
			newest_ns = connection->sent_ns;
	}
	gather_pool_note_commit(store->pool, store->member, newest_ns);
}

static void run_lane(struct store *store, enum gather_lane lane, bool may_send)
{
	unsigned most = store->config.batch_max;
	struct queued queued = find_queued(store, lane);
	uint64_t until_ns = 0;

	if (queued.count == 0 || queued.count >= most)
		return;
	if (!queued.is_urgent)
		until_ns =
			gather_pool_until_ns(store->pool, store->member, lane,
		                             queued.count, queued.since_ns);
	if (until_ns > clock_monotonic_ns())
		lend(store, lane, until_ns);
	else if (may_send)
		borrow(store, lane, most - queued.count);
}

void lending_run(struct store *store, bool may_commit)
{
	lending_take_back(store);
	note_commits(store);
	if (!batch_first(&store->queues, BATCH_ANY))
		return;
	bool may_send = expiry_find_idle(store) != NULL;
	run_lane(store, GATHER_LOADS, may_send);
	run_lane(store, GATHER_MOVES, may_send && may_commit);
}

void lending_note_sent(struct store *store, const struct statement_queue *batch)
{
	uint64_t now_ns = clock_monotonic_ns();

	for (const struct statement *each = batch->head; each;
	     each = each->next) {
		const struct statement *member = each->members.head;
		const struct statement *first = member ? member : each;
		unsigned count = member ? each->members.count : 1;

		if (!gather_takes(first))
			continue;
		enum gather_lane lane = first->query->gathering->lane;
		gather_pool_note_sent(store->pool, lane, count, now_ns);
		if (lane == GATHER_MOVES)
			gather_pool_note_commit(store->pool, store->member,
			                        now_ns);
	}
}

/* --- answers -------------------------------------------------------------- */

void lending_give_back(struct store *store, struct statement *statement)
{
	store->borrowed--;
	gather_pool_give_back(store->pool, statement);
}

void lending_answer(struct store *store, bool must_wait)
{
	struct statement_queue own;
	struct statement *statement;

	gather_pool_take_answered(store->pool, store->member, must_wait, &own);
	while ((statement = statement_pop(&own))) {
		store->unanswered--;
		statement_answer(statement);
		statement_free(statement);
	}
}
