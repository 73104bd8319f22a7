/*
 * statement.h - a statement, the queues it stands in, and where it goes when
 * nobody needs it any more.
 */
#ifndef STORE_STATEMENT_H
#define STORE_STATEMENT_H

#include "store/store.h"
#include "store/wire.h"

struct statement;

/*
 * Reads the rows that a statement gave, perhaps none, into an answer that is
 * zeroed.  The result is what they mean; unless it is STORE_OK the answer is
 * not used.
 */
typedef enum store_result (*statement_read_fn)(
	const struct statement *statement, const PGresult *res,
	struct store_answer *answer);

enum statement_kind {
	STATEMENT_ALONE,  /* has a transaction of its own */
	STATEMENT_READ,   /* changes nothing */
	STATEMENT_COMMIT, /* changes the one game that is its id */
	STATEMENT_KINDS,
};

struct statement {
	struct statement *behind; /* in its queue */
	const char *name;         /* as in sql/queries; static */
	struct params params;
	enum statement_kind kind;
	uint64_t deadline_ns;
	uint64_t last_ns; /* no deadline is later; UINT64_MAX: any may be */
	bool was_sent;    /* or a part of it: it may have been carried out */
	bool is_renewed;  /* has its second deadline */
	PGresult *res;    /* kept until the sync, when it counts */
	bool has_sync;    /* the one that is sent behind it; db.c's own */
	bool may_share;   /* with others that ask the same */
	struct statement *sharers; /* they did, and get its answer */

	/* Who asked, and what the answer is read with. */
	statement_read_fn read;
	store_fn done;
	void *arg;
	struct arena *arena;
	struct uuid id;
	unsigned limit;
	bool is_keyed;
};

/* A zeroed one is empty. */
struct statement_queue {
	struct statement *head;
	struct statement *tail;
	unsigned count;
};

void statement_push(struct statement_queue *queue, struct statement *statement);

/* In front of those whose deadline is later, in a queue in such an order. */
void statement_insert(struct statement_queue *queue,
                      struct statement *statement);

/* The head, or NULL. */
struct statement *statement_pop(struct statement_queue *queue);

/* Statements for the next ones to ask, with their memory.  Zeroed: empty. */
struct statement_pool {
	struct statement *spare;
	unsigned count;
};

/* With nothing but its name. */
struct statement *statement_take(struct statement_pool *pool, const char *name);
void statement_give_back(struct statement_pool *pool,
                         struct statement *statement);
void statement_pool_fini(struct statement_pool *pool);

#endif
