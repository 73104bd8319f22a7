/*
 * gather.h - several statements of one kind as one statement: the loads of a
 * tick as load_many, its moves as commit_moves; those with an idempotency key,
 * and moves that seats are told of, as load_many_idempotent and
 * commit_moves_full.
 *
 * A gathered statement holds its members, and has no caller of its own.
 */
#pragma once

#include "store/statement.h"

/* The fate of a second statement of a game. */
enum gather_same_game {
	GATHER_WAITS,  /* it is a member of another statement */
	GATHER_SHARES, /* it gets the answer of the first */
	GATHER_ADDS,   /* it is a member like any other */
};

/* How the statements of one query, or of several, are gathered. */
struct gathering {
	const struct query *query; /* of the gathered statement */
	void (*add_params)(struct params *params,
	                   const struct statement_queue *members);
	enum gather_same_game same_game;
	bool asks_absent_alone; /* a member without a row is asked singly */
};

/* For the queries, which name them in query.def. */
extern const struct gathering gather_loads;
extern const struct gathering gather_keyed_loads;
extern const struct gathering gather_moves;
extern const struct gathering gather_full_moves;

/* True if the statement may be a member. */
bool gather_takes(const struct statement *statement);

/*
 * True if the statement can be added to members, which have its gathering; else
 * it has to wait for another batch.
 */
bool gather_may_add(const struct statement_queue *members,
                    const struct statement *statement);
void gather_add(struct statement_queue *members, struct statement *statement);

/* The gathered statement of at least two members, which it takes over. */
struct statement *gather_make(struct statement_queue *members);

/*
 * Note in each member which row of the result is its own; false if the result
 * is none of these members'.
 */
bool gather_find_rows(struct statement *gathered);

/* True if the result says nothing about the member: it has to be asked alone.
 */
bool gather_is_unsettled(const struct statement *member);
