/*
 * gather.h - several statements of one kind as one statement: the loads of a
 * tick as load_many, its moves as commit_moves.
 *
 * A gathered statement holds its members, and has no caller of its own.
 */
#pragma once

#include "store/statement.h"

struct column; /* gather.c */

enum gather_lane { GATHER_LOADS, GATHER_MOVES, GATHER_LANES };

/*
 * How the statements of one query are gathered.  With one_each_game, as for
 * moves, a second statement of a game waits for the next batch, and a member
 * without a row in the result is asked singly.
 */
struct gathering {
	const struct query *query; /* of the gathered statement */
	const struct column *columns;
	size_t count;
	enum gather_lane lane;
	bool one_each_game;
};

/* For the queries, which name them in query.def. */
extern const struct gathering gather_loads;
extern const struct gathering gather_moves;

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
 * does not match these members.
 */
bool gather_find_rows(struct statement *gathered);

/* True if the result says nothing about the member: it has to be asked alone.
 */
bool gather_is_unsettled(const struct statement *member);
