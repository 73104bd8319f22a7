/*
 * batch.c - which statements travel together, and what becomes of them.
 *
 * Statements of a kind that are queued at the same time are sent as a batch
 * with one sync after it, which makes them one transaction.  Each statement
 * alone would cost both sides their system calls, and the server a flush of its
 * log.  Statements that change more than their own game travel alone.
 *
 * A result counts when the sync has come back.  Until then another statement of
 * the batch, or the commit, may still fail, and the server rolls all of them
 * back.  When that happens every statement is queued once more, alone, in front
 * of those that have more time left: the ones that did not fail succeed now,
 * and what fails alone has failed.
 *
 * Two batches that change the same games must not wait for each other's locks.
 * So the statements of a batch are in the order of their games.  A game that
 * another transaction has locked fails its batch after a part of the deadline
 * (lock_timeout): the other games are committed then, and the locked one has
 * time to wait for its lock once more.
 *
 * The loads among the reads of a batch are gathered in one statement, and moves
 * are gathered in one that is a batch by itself (gather.c).  If it fails, or
 * leaves a move out because its game is locked, the members are queued once
 * more in the same way.
 *
 * When a game changes, all its waiters load it at once.  A load that is still
 * queued answers them all: it has not been sent, so its answer is new enough.
 */
#include "store/batch.h"

#include <assert.h>
#include <string.h>

#include "base/err.h"
#include "base/log.h"
#include "metric/metric.h"
#include "postgres/sqlstate.h"
#include "store/gather.h"

static const unsigned batch_max[STATEMENT_KIND_COUNT] = {
	[STATEMENT_ALONE] = 1,
	[STATEMENT_READ] = 16,
	[STATEMENT_READ_ALONE] = 1,
	[STATEMENT_COMMIT] = 8,
};

/* --- before they are sent ------------------------------------------------- */

static bool asks_the_same(const struct statement *a, const struct statement *b)
{
	return a->query == b->query && params_equal(&a->params, &b->params);
}

void batch_queue(struct batch_queues *queues, struct statement *statement)
{
	struct statement_queue *queue = &queues->of[statement->kind];
	struct statement *last = queue->tail;

	if (statement->may_share && last && asks_the_same(last, statement))
		statement_share(last, statement);
	else
		statement_insert_by_deadline(queue, statement);
}

const struct statement *batch_first(const struct batch_queues *queues,
                                    enum batch_choice choice)
{
	const struct statement *first = NULL;

	for (unsigned kind = 0; kind < STATEMENT_KIND_COUNT; kind++) {
		const struct statement *head = queues->of[kind].head;

		if (head && (choice == BATCH_ANY || statement_is_read(head)) &&
		    (!first || head->deadline.at_ns < first->deadline.at_ns))
			first = head;
	}
	return first;
}

/* Move what can be gathered with the first statement of a queue to members. */
static void take_members(struct statement_queue *queue, unsigned gather_max,
                         struct statement_queue *members)
{
	const struct gathering *gathering = queue->head->query->gathering;
	struct statement *before = NULL;
	struct statement *statement = queue->head;

	while (statement && members->count < gather_max) {
		struct statement *next = statement->next;

		if (statement->query->gathering == gathering &&
		    gather_may_add(members, statement))
			gather_add(members, statement_take(queue, before));
		else
			before = statement;
		statement = next;
	}
}

/* Fill a batch, but not with what can be gathered, if anything is. */
static void take_single(struct statement_queue *queue, unsigned gather_max,
                        unsigned most, struct statement_queue *batch)
{
	struct statement *before = NULL;
	struct statement *statement = queue->head;

	while (statement && batch->count < most) {
		struct statement *next = statement->next;

		if (gather_max > 1 && gather_takes(statement))
			before = statement;
		else
			statement_insert_by_game(batch,
			                         statement_take(queue, before));
		statement = next;
	}
}

/*
 * Statements that share a sync are no transaction on a PostgreSQL that is
 * spread over servers, if it hands a whole call to another server: a statement
 * of a failed batch may have been carried out, and asked again it would be a
 * conflict.
 */
static unsigned most_single(enum statement_kind kind, unsigned gather_max)
{
	return kind == STATEMENT_COMMIT && gather_max == 0 ? 1
	                                                   : batch_max[kind];
}

void batch_take(struct batch_queues *queues, enum batch_choice choice,
                unsigned gather_max, struct statement_queue *batch)
{
	const struct statement *first = batch_first(queues, choice);
	struct statement_queue members = { .head = NULL };

	assert(!batch->head);
	if (!first)
		return;
	enum statement_kind kind = first->kind;
	struct statement_queue *queue = &queues->of[kind];
	if (gather_max > 1 && gather_takes(first))
		take_members(queue, gather_max, &members);
	if (members.count > 1) {
		statement_push(batch, gather_make(&members));
		/* It never waits for a lock; other statements might. */
		if (kind == STATEMENT_COMMIT)
			return;
	} else if (members.count == 1) {
		statement_push(batch, statement_pop(&members));
	}
	take_single(queue, gather_max, most_single(kind, gather_max), batch);
}

/* --- when their results are there ----------------------------------------- */

static bool is_success(const struct statement *statement)
{
	return PQresultStatus(statement->res) == PGRES_TUPLES_OK;
}

/* The SQLSTATE of a refusal; "none" if it has none. */
static const char *state_of(const struct statement *statement)
{
	const char *state =
		PQresultErrorField(statement->res, PG_DIAG_SQLSTATE);

	return state ? state : "none";
}

bool batch_is_final(const struct statement_queue *batch)
{
	const struct statement *statement = batch->head;

	while (statement && is_success(statement))
		statement = statement->next;
	return !statement || (batch->count == 1 && !statement->members.head);
}

void batch_retry(struct batch_queues *queues, struct statement *statement)
{
	struct statement *member;

	if (statement->members.head) {
		while ((member = statement_pop(&statement->members)))
			batch_retry(queues, member);
		statement_free(statement);
		return;
	}
	metric_add(METRIC_STATEMENT_RETRIES, 0, 1);
	PQclear(statement->res);
	statement->res = NULL;
	statement->kind = statement_is_read(statement) ? STATEMENT_READ_ALONE
	                                               : STATEMENT_ALONE;
	statement_insert_by_deadline(&queues->of[statement->kind], statement);
}

bool batch_is_locked_out(const struct statement *statement)
{
	return strcmp(state_of(statement), "55P03") == 0;
}

enum store_result batch_result(struct statement *statement)
{
	const char *state = state_of(statement);

	if (is_success(statement))
		return STORE_OK;
	enum store_result result = sqlstate_result(state);
	if (!sqlstate_is_conflict(state))
		LOG(LOG_ERROR, "statement_refused",
		    LOG_TEXT("statement", statement->query->name),
		    LOG_TEXT("sqlstate", state));
	/* The server says that nothing of it was carried out. */
	if (result != STORE_UNAVAILABLE)
		statement->was_sent = false;
	return result;
}
