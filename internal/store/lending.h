/*
 * lending.h - a store's part in its pool (gather_pool.h).
 */
#pragma once

#include "store/expiry.h"

/* Join the pool of the configuration, or one of its own. */
void lending_open(struct store *store);

/* Everything of the store is answered.  Leave the pool. */
void lending_close(struct store *store);

/*
 * Before the store sends: lend the loads and moves that may wait for others; of
 * those that may not, borrow what others have lent.
 */
void lending_run(struct store *store, bool may_commit);

/* Take back what nobody has borrowed. */
void lending_take_back(struct store *store);

/* These are sent now. */
void lending_note_sent(struct store *store,
                       const struct statement_queue *batch);

/* A borrowed statement has its answer. */
void lending_give_back(struct store *store, struct statement *statement);

/*
 * Answer what was given back.  With must_wait something that another store has
 * borrowed is not given back yet, and is waited for.
 */
void lending_answer(struct store *store, bool must_wait);
