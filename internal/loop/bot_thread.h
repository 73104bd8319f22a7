/*
 * bot_thread.h - the thread that plays for bots.
 *
 * It takes games with due bots, of all games of the database, decides, and
 * commits the moves as any player's moves.  Several daemons may do so, each
 * with the games that it has taken.
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
 * Tell the thread to release the games that it has taken, and end; then wait
 * for that, and free it.  Between the two calls it may still be woken.  NULL is
 * fine.
 */
void bot_thread_stop(struct bot_thread *thread);
void bot_thread_close(struct bot_thread *thread);
