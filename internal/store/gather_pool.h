/*
 * gather_pool.h - statements of several stores that wait to be gathered.
 *
 * The stores of a process's loops are members of one pool.  A load or a move
 * that waits for others is lent to the pool.  The member that sends one of its
 * kind next borrows all of them, and carries them: it sends them, asks them
 * singly if it must, and reads their answers.  Then it gives each back, and the
 * member that lent it calls its caller, in its own thread.
 *
 * All functions but open and close may be called by any thread.
 */
#pragma once

#include "store/gather.h"
#include "store/statement.h"

enum { GATHER_POOL_MAX = 64 }; /* members */

struct gather_pool;

/* Never fails.  All members have left when it is closed; NULL is fine. */
struct gather_pool *gather_pool_open(void);
void gather_pool_close(struct gather_pool *pool);

/* Returns the number of the member. */
unsigned gather_pool_join(struct gather_pool *pool);

/* Readable when statements have been given back to the member. */
int gather_pool_fd(const struct gather_pool *pool, unsigned member);

/* The member carries nothing, and has got all of its own back. */
void gather_pool_leave(struct gather_pool *pool, unsigned member);

/* When the newest commit of a member that is under way was sent; 0: none is. */
void gather_pool_note_commit(struct gather_pool *pool, unsigned member,
                             uint64_t sent_ns);

/*
 * Until when so many statements of a member wait to be sent (monotonic); in the
 * past: they do not.  The first of them was queued at queued_ns.
 */
uint64_t gather_pool_until_ns(struct gather_pool *pool, unsigned member,
                              enum gather_lane lane, unsigned count,
                              uint64_t queued_ns);

/* So many statements were sent together. */
void gather_pool_note_sent(struct gather_pool *pool, enum gather_lane lane,
                           unsigned count, uint64_t sent_ns);

/* Let a member's own statement wait where others can borrow it. */
void gather_pool_lend(struct gather_pool *pool, struct statement *statement);

/* Take back a member's statements that nobody has borrowed. */
void gather_pool_take_back(struct gather_pool *pool, unsigned member,
                           struct statement_queue *statements);

/* Borrow statements of any member, at most so many. */
void gather_pool_borrow(struct gather_pool *pool, enum gather_lane lane,
                        unsigned most, struct statement_queue *statements);

/* Give a borrowed statement back with its answer. */
void gather_pool_give_back(struct gather_pool *pool,
                           struct statement *statement);

/*
 * Take what was given back to a member.  With must_wait there is at least one
 * statement that has not been, and is waited for.
 */
void gather_pool_take_answered(struct gather_pool *pool, unsigned member,
                               bool must_wait,
                               struct statement_queue *statements);
