/*
 * statement.h - a statement with its parameters and its caller, and queues of
 * statements.
 */
#pragma once

#include "postgres/records.h"
#include "postgres/rows.h"
#include "postgres/wire.h"
#include "store/deadline.h"

enum statement_kind {
	STATEMENT_ALONE,      /* has a transaction of its own */
	STATEMENT_READ,       /* changes nothing */
	STATEMENT_READ_ALONE, /* the same, asked again */
	STATEMENT_COMMIT,     /* changes the one game that is its id */
	STATEMENT_KIND_COUNT,
};

struct gathering; /* gather.h */

/* The properties that all statements of one name share. */
struct query {
	const char *name; /* as in sql/queries */
	unsigned number;  /* in query.def, for metrics; a gathered one: 0 */
	enum statement_kind kind;
	rows_fn *reader;
	enum store_result if_none;         /* see struct rows */
	bool may_share;                    /* unless its statement says no */
	const struct gathering *gathering; /* NULL: never gathered */
};

enum { STATEMENT_NO_ROW = -1 };

/* A zeroed one is empty. */
struct statement_queue {
	struct statement *head;
	struct statement *tail;
	unsigned count;
};

struct statement {
	struct statement *next; /* in its queue */
	const struct query *query;
	struct params params;
	enum statement_kind kind; /* the query's; *ALONE when asked again */
	struct deadline deadline;
	uint64_t queued_ns; /* for metrics */
	bool was_sent;      /* and not refused: something may have changed */
	bool is_held;       /* while commits are held, and so did nothing */
	PGresult *res;      /* counts when its batch is complete */
	struct statement *sharers;      /* that get its answer too */
	struct statement_queue members; /* of a gathered statement, gather.h */
	bool may_share;                 /* its answer, with others */
	bool is_urgent;                 /* waits for no others: lending.c */
	int row; /* of a member: its row in the result, or STATEMENT_NO_ROW */

	unsigned home; /* whose caller is answered: gather_pool.h */
	struct store_answer answer; /* once it is read */

	/* The caller, and what its answer is read with. */
	store_fn done;
	void *arg;
	struct arena *arena;
	struct uuid id;
	unsigned limit;
};

/* True if it changes nothing, so that it waits for no standby. */
bool statement_is_read(const struct statement *statement);

void statement_push(struct statement_queue *queue, struct statement *statement);

/* Insert in the order of deadlines, or of ids, after equal ones. */
void statement_insert_by_deadline(struct statement_queue *queue,
                                  struct statement *statement);
void statement_insert_by_game(struct statement_queue *queue,
                              struct statement *statement);

/* The head, or NULL. */
struct statement *statement_pop(struct statement_queue *queue);

/* Take out the statement after another; after NULL is the head. */
struct statement *statement_take(struct statement_queue *queue,
                                 struct statement *before);

/* Let sharer, and those that share its answer, get that of statement. */
void statement_share(struct statement *statement, struct statement *sharer);

/*
 * A statement of the query, without parameters: add them and queue it.  arena
 * is NULL if the answer points to nothing.
 */
struct statement *statement_make(const struct query *query, struct arena *arena,
                                 store_fn done, void *arg);
void statement_free(struct statement *statement);

/*
 * Make the answer to a statement: the result, and with STORE_OK what the rows
 * hold, which are its own, or those of the statement whose answer it shares.
 */
struct statement_rows {
	const PGresult *res;
	int first;
	int count;
	int column; /* in which a row begins */
};
void statement_read(struct statement *statement, enum store_result result,
                    struct statement_rows rows);

/* Call the caller of a statement with its answer. */
void statement_answer(const struct statement *statement);
