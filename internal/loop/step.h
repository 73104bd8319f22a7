/*
 * step.h - a request goes through a plan, one step after the other.
 *
 * driver.c has a plan for each shape of request.  A step begins; it is done at
 * once, or it asks the store and ends with the store's answer.  Whichever it
 * is, it says by an enum turn what comes next.  load.c, commit.c and waiting.c
 * have the steps.
 *
 * After a conflict, or when a waiter is woken, the plan starts again.  A step
 * then does nothing if its result is there already (the ticket is used, the
 * code is looked up).
 */
#pragma once

#include "loop/context.h"
#include "service/call.h"

enum turn {
	TURN_NEXT,    /* the step is done: begin the next one */
	TURN_WAIT,    /* the store's answer, or a wake-up, continues */
	TURN_RESTART, /* begin the plan again */
	TURN_REPLY,   /* leave out what is left but the reply */
	TURN_DONE,    /* answered: the request may be gone */
};

struct step {
	const char *name; /* in traces; static */
	enum turn (*begin)(struct call *call);

	/* NULL if the step never asks the store. */
	enum turn (*end)(struct call *call, const struct store_answer *answer);

	/* If the store fails, the change may have been made all the same. */
	bool writes;

	/* The request goes on without it, if the store cannot do it now. */
	bool is_optional;
};

enum { STEPS_MAX = 8 };

/* The last step of each plan: encode the reply and send it. */
extern const struct step step_reply;

/* Begin a plan, whose last step always answers. */
void step_start(struct call *call, const struct step *const *plan);

/* Go on with a request that waits: for waiters. */
void step_resume(struct call *call, enum turn turn);

/*
 * The function for the store, with the call as arg.  A step that fails with
 * STORE_UNAVAILABLE, _REFUSED, _HELD or _BROKEN is answered here and does not
 * end, unless it is optional.
 */
void step_on_answer(void *arg, const struct store_answer *answer);

/*
 * The store, for the next statement of the request: it is answered within two
 * deadlines of the request's arrival, unless the request is a waiter.
 */
struct store *step_store(struct call *call);

/* The call's context. */
struct context *step_context(const struct call *call);

/* Refuse the request, or end its stream.  TURN_DONE. */
enum turn step_refuse(struct call *call, enum err err);

/* Refuse a change that the database would not acknowledge now.  TURN_DONE. */
enum turn step_refuse_change(struct call *call);

/* Refuse with the answer that an outsider gets for a game that does not exist.
 */
enum turn step_refuse_outsider(struct call *call);

/* End the stream by its event "closed", with an enum closing.  TURN_DONE. */
enum turn step_close_stream(struct call *call, unsigned reason);

/* Send the reply, or end the stream, as it is.  TURN_DONE. */
enum turn step_finish(struct call *call);

/* Record the caller as seen, also one whose request is refused. */
void step_note_last_seen(struct call *call, uint32_t version);
