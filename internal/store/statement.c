/*
 * statement.c - statements and their queues.
 *
 * A queue is a list through "next", so a statement is in one queue at a time,
 * or is a sharer of one statement.
 */
#include "store/statement.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "metric/metric.h"

struct statement *statement_make(const struct query *query, struct arena *arena,
                                 store_fn done, void *arg)
{
	struct statement *statement = xcalloc(1, sizeof(*statement));

	statement->query = query;
	statement->kind = query->kind;
	statement->may_share = query->may_share;
	statement->arena = arena;
	statement->done = done;
	statement->arg = arg;
	return statement;
}

void statement_free(struct statement *statement)
{
	PQclear(statement->res);
	params_fini(&statement->params);
	free(statement);
}

bool statement_is_read(const struct statement *statement)
{
	return statement->query->kind == STATEMENT_READ;
}

void statement_push(struct statement_queue *queue, struct statement *statement)
{
	statement->next = NULL;
	if (queue->tail)
		queue->tail->next = statement;
	else
		queue->head = statement;
	queue->tail = statement;
	queue->count++;
}

static void insert(struct statement_queue *queue, struct statement **place,
                   struct statement *statement)
{
	statement->next = *place;
	*place = statement;
	if (!statement->next)
		queue->tail = statement;
	queue->count++;
}

void statement_insert_by_deadline(struct statement_queue *queue,
                                  struct statement *statement)
{
	uint64_t at_ns = statement->deadline.at_ns;
	struct statement **place = &queue->head;

	if (queue->tail && queue->tail->deadline.at_ns <= at_ns)
		place = &queue->tail->next;
	while (*place && (*place)->deadline.at_ns <= at_ns)
		place = &(*place)->next;
	insert(queue, place, statement);
}

void statement_insert_by_game(struct statement_queue *queue,
                              struct statement *statement)
{
	struct statement **place = &queue->head;

	while (*place && memcmp(&(*place)->id, &statement->id,
	                        sizeof(statement->id)) <= 0)
		place = &(*place)->next;
	insert(queue, place, statement);
}

struct statement *statement_take(struct statement_queue *queue,
                                 struct statement *before)
{
	struct statement **place = before ? &before->next : &queue->head;
	struct statement *statement = *place;

	*place = statement->next;
	if (!*place)
		queue->tail = before;
	queue->count--;
	return statement;
}

void statement_share(struct statement *statement, struct statement *sharer)
{
	struct statement *last = sharer;

	statement->is_urgent = statement->is_urgent || sharer->is_urgent;
	sharer->next = sharer->sharers;
	sharer->sharers = NULL;
	while (last->next)
		last = last->next;
	last->next = statement->sharers;
	statement->sharers = sharer;
}

struct statement *statement_pop(struct statement_queue *queue)
{
	struct statement *statement = queue->head;

	if (!statement)
		return NULL;
	queue->head = statement->next;
	if (!queue->head)
		queue->tail = NULL;
	queue->count--;
	return statement;
}

static void count(const struct statement *statement, enum store_result result)
{
	unsigned number = statement->query->number;

	if (!metric_cells)
		return;
	metric_add(METRIC_STATEMENTS,
	           number * METRIC_ROOM_RESULT + (unsigned)result, 1);
	metric_observe_ns(METRIC_STATEMENT_SECONDS, number,
	                  clock_monotonic_ns() - statement->queued_ns);
}

void statement_read(struct statement *statement, enum store_result result,
                    struct statement_rows rows)
{
	const struct query *query = statement->query;

	statement->answer = (struct store_answer){
		.result = result,
		.was_sent = statement->was_sent,
	};
	if (result == STORE_OK) {
		const struct rows read = { .statement = query->name,
			                   .res = rows.res,
			                   .first = rows.first,
			                   .count = rows.count,
			                   .column = rows.column,
			                   .reader = query->reader,
			                   .if_none = query->if_none,
			                   .arena = statement->arena,
			                   .game = statement->id,
			                   .limit = statement->limit };

		statement->answer = rows_read(&read);
		statement->answer.was_sent = true;
	}
}

void statement_answer(const struct statement *statement)
{
	count(statement, statement->answer.result);
	statement->done(statement->arg, &statement->answer);
}
