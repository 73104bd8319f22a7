/*
 * statement.c - statements, their queues and their pool.
 *
 * A queue is a list through "behind", so a statement stands in one queue at a
 * time, or is a sharer of one statement, or a spare of the pool.  A spare keeps
 * the memory of its parameters, which the next statement fills again.
 */
#include "store/statement.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { SPARE_MAX = 512 };

/* --- queues --------------------------------------------------------------- */

void statement_push(struct statement_queue *queue, struct statement *statement)
{
	statement->behind = NULL;
	if (queue->tail)
		queue->tail->behind = statement;
	else
		queue->head = statement;
	queue->tail = statement;
	queue->count++;
}

static void insert(struct statement_queue *queue, struct statement **place,
                   struct statement *statement)
{
	statement->behind = *place;
	*place = statement;
	if (!statement->behind)
		queue->tail = statement;
	queue->count++;
}

void statement_insert_by_deadline(struct statement_queue *queue,
                                  struct statement *statement)
{
	uint64_t at_ns = statement->deadline.at_ns;
	struct statement **place = &queue->head;

	if (queue->tail && queue->tail->deadline.at_ns <= at_ns)
		place = &queue->tail->behind;
	while (*place && (*place)->deadline.at_ns <= at_ns)
		place = &(*place)->behind;
	insert(queue, place, statement);
}

void statement_insert_by_game(struct statement_queue *queue,
                              struct statement *statement)
{
	struct statement **place = &queue->head;

	while (*place && memcmp(&(*place)->id, &statement->id,
	                        sizeof(statement->id)) <= 0)
		place = &(*place)->behind;
	insert(queue, place, statement);
}

struct statement *statement_pop(struct statement_queue *queue)
{
	struct statement *statement = queue->head;

	if (!statement)
		return NULL;
	queue->head = statement->behind;
	if (!queue->head)
		queue->tail = NULL;
	queue->count--;
	return statement;
}

void statement_answer(const struct statement *statement,
                      enum store_result result, const PGresult *res)
{
	const struct query *query = statement->query;
	struct store_answer answer = { .result = result };

	if (result == STORE_OK) {
		const struct rows rows = { .statement = query->name,
			                   .res = res,
			                   .reader = query->reader,
			                   .if_none = query->if_none,
			                   .arena = statement->arena,
			                   .game = statement->id,
			                   .limit = statement->limit };

		answer = rows_read(&rows);
	}
	statement->done(statement->arg, &answer);
}

/* --- the pool ------------------------------------------------------------- */

struct statement *statement_take(struct statement_pool *pool,
                                 const struct query *query)
{
	struct statement *statement = pool->spare;

	if (statement) {
		struct params params = statement->params;

		pool->spare = statement->behind;
		pool->count--;
		params_reset(&params);
		*statement = (struct statement){ .params = params };
	} else {
		statement = xcalloc(1, sizeof(*statement));
	}
	statement->query = query;
	statement->kind = query->kind;
	return statement;
}

static void free_statement(struct statement *statement)
{
	params_fini(&statement->params);
	free(statement);
}

void statement_give_back(struct statement_pool *pool,
                         struct statement *statement)
{
	PQclear(statement->res);
	statement->res = NULL;
	if (pool->count == SPARE_MAX) {
		free_statement(statement);
		return;
	}
	statement->behind = pool->spare;
	pool->spare = statement;
	pool->count++;
}

void statement_pool_fini(struct statement_pool *pool)
{
	struct statement *statement;

	while ((statement = pool->spare)) {
		pool->spare = statement->behind;
		free_statement(statement);
	}
	pool->count = 0;
}
