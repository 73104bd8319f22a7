/*
 * gather.h - several statements of one kind as one statement: the loads of a
 * tick as load_many, its moves as commit_moves.
 *
 * A gathered statement holds its members, and has no caller of its own.  Each
 * member is of another game.
 */
#pragma once

#include "store/statement.h"

/* How the statements of a query are gathered. */
struct gathering {
	const struct query *query; /* of the gathered statement */
	void (*add_params)(struct params *params,
	                   const struct statement_queue *members);
	bool may_share;         /* a game's statements get one answer */
	bool asks_absent_alone; /* a member without a row is asked singly */
};

/* load and commit_move, for their queries. */
extern const struct gathering gather_loads;
extern const struct gathering gather_moves;

/* True if the statement may be a member. */
bool gather_takes(const struct statement *statement);

/*
 * True if the statement can be added to members, which are of its query; else
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
