/*
 * bot_thread.h - the thread that plays for bots.
 *
 * It takes games whose bots are due, of all that the database has, decides, and
 * commits the moves like anybody's.  Other daemons may do so too, each with the
 * games that it has taken.
 */
#pragma once

#include "base/setting.h"
#include "loop/context.h"

struct bot_thread;

/*
 * Start it; the thread calls committed(arg) for each change that it commits.
 * NULL if the settings say that this daemon has no such thread.
 */
struct bot_thread *bot_thread_open(const struct settings *settings,
                                   context_committed_fn committed, void *arg);

/* From any thread: a game with bots has changed.  NULL is fine. */
void bot_thread_wake(struct bot_thread *thread);

/*
 * Have it give up the games that it has taken, and end; then wait for that, and
 * free it.  In between it may still be woken.  NULL is fine.
 */
void bot_thread_stop(struct bot_thread *thread);
void bot_thread_close(struct bot_thread *thread);
