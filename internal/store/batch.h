/*
 * batch.h - statements that wait to be sent, and which of them travel together.
 *
 * A batch is one transaction: see batch.c.
 */
#pragma once

#include "store/statement.h"

/* A queue for each kind, in the order of deadlines.  Zeroed: empty. */
struct batch_queues {
	struct statement_queue of[STATEMENT_KIND_COUNT];
};

/* Queue a statement; or let it share the answer of one that asks the same. */
void batch_queue(struct batch_queues *queues, struct statement *statement);

/*
 * The queued statement with the earliest deadline, or NULL.  BATCH_READS: only
 * among reads.
 */
enum batch_choice { BATCH_ANY, BATCH_READS };
const struct statement *batch_first(const struct batch_queues *queues,
                                    enum batch_choice choice);

/*
 * Move the statements that are to be sent next to an empty batch, which stays
 * empty if none is queued.  Up to gather_max loads or moves become one
 * statement; none are gathered if it is below 2, and if it is 0 a batch has one
 * commit at most.
 */
void batch_take(struct batch_queues *queues, enum batch_choice choice,
                unsigned gather_max, struct statement_queue *batch);

/*
 * True if the results of a batch count, now that its transaction has ended:
 * all statements succeeded, or the only one failed.  Else nothing was done.
 */
bool batch_is_final(const struct statement_queue *batch);

/*
 * Queue a statement that has done nothing once more, in a batch of its own; or
 * the members of a gathered one, each.
 */
void batch_retry(struct batch_queues *queues, struct statement *statement);

/* True if a statement gave up waiting for a lock. */
bool batch_is_locked_out(const struct statement *statement);

/* The meaning of a result that counts; a refusal is logged. */
enum store_result batch_result(struct statement *statement);
