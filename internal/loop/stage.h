/*
 * stage.h - what any stage of a request may come to.
 *
 * Private to this folder, as are load.h, keep.h and watch.h, which are the
 * stages.
 */
#ifndef LOOP_STAGE_H
#define LOOP_STAGE_H

#include "loop/driver.h"
#include "service/call.h"

struct driver *stage_driver(const struct call *call);

/*
 * The store, for the next statement of the request: it is answered within two
 * deadlines of the request's coming, unless the request waits for something
 * else than the database.
 */
struct store *stage_store(struct call *call);

/*
 * The last stage: make the answer, or a 304 if the client knows it already, and
 * finish.  What is refused instead is told to everybody.
 */
void stage_answer(struct call *call);

/* Refuse the request, or end its stream, and finish. */
void stage_refuse(struct call *call, enum err err);

/* Refuse it as somebody outside is told that there is no such game. */
void stage_miss(struct call *call);

/*
 * Refuse it because the store has failed; of a write say that it may have been
 * carried out all the same.
 */
void stage_fail(struct call *call, enum store_result result);
void stage_fail_write(struct call *call, enum store_result result);

/* Send what is there to be sent, and wait no more. */
void stage_finish(struct call *call);

/*
 * A client hears within two deadlines.  A stage is not begun when less than
 * half a deadline is left of them; time in which the loop did not run is not
 * counted. True if it was refused for that.
 */
MUST_CHECK bool stage_is_late(struct call *call);

/* Whoever asks is there, also if they may not. */
void stage_note_last_seen(struct call *call);

/* Those who wait for the game hear of it. */
void stage_tell_moved(struct call *call, struct uuid game, uint32_t version);

#endif
