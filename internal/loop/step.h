/*
 * step.h - a request goes through a plan, one step after the other.
 *
 * plan.c has a plan for each shape of request.  A step begins; it is done at
 * once, or it asks the store and ends with the store's answer.  begin() and
 * end() return an enum turn: what to do next.
 *
 * After a conflict, or when a waiter is woken, the plan starts again.
 */
#pragma once

#include "live/waiter.h"
#include "loop/context.h"
#include "service/call.h"

struct run;

enum turn {
	TURN_NEXT,    /* the step is done: begin the next one */
	TURN_WAIT,    /* the store's answer, or a wake-up, continues */
	TURN_RESTART, /* begin the plan again */
	TURN_REPLY,   /* skip the other steps: reply */
	TURN_DONE,    /* answered: the request may be gone */
};

struct step {
	const char *name; /* in traces; static */
	enum turn (*begin)(struct run *run);

	/* NULL if the step never asks the store. */
	enum turn (*end)(struct run *run, const struct store_answer *answer);

	/* If the store fails, the change may still have been made. */
	bool writes;

	/* If the store cannot do it now, the request continues without it. */
	bool is_optional;
};

enum { STEPS_MAX = 10 };

/* The steps of a plan.  The last of them always answers. */
struct plan {
	const struct step *steps[STEPS_MAX];
};

struct plans {
	struct plan of_shape[SHAPE_COUNT];

	/* Find the game that the code of the path leads to. */
	struct plan invitation;

	/*
	 * Answer a request that was carried out before under its idempotency
	 * key, about the game that call->game.id names.
	 */
	struct plan replay;

	/* End a stream whose caller has lost the seat. */
	struct plan closing;
};

/* A request that runs a plan; in the request's arena. */
struct run {
	struct call call;
	struct context *context;
	const struct plans *plans; /* which plan.c fills with the steps */
	const struct plan *plan;   /* one of them */
	unsigned at;               /* the present step */
	struct arena_mark begun;   /* each try rewinds the arena to here */
	uint64_t stalled_ns;       /* stall_total_ns() when the request came */
	uint64_t asked_ns;         /* when the store was asked; for the trace */
	struct trace *trace;       /* NULL: the request is not sampled */

	bool is_checking; /* the load looks whether the caller is stale */

	bool is_handed; /* the game came from a handover, not from the store */

	/* The game came from the recent games: only a commit may follow. */
	bool is_recent;
	uint32_t outdated; /* the version that such a decision used, or 0 */
	bool must_load;    /* the recent games are no help */

	/* For requests that wait, and streams. */
	bool is_waiter;
	struct waiter waiter;
	bool is_streaming; /* the status is sent */
	bool must_end;     /* the client left too much unread, or has gone */
	bool is_paused;    /* has enough to read for now */
	unsigned signs;    /* counts the comments of a stream, see waiting.c */
};

/* The last step of most plans: encode the reply and send it. */
extern const struct step step_reply;

/* Begin a plan. */
void step_start(struct run *run, const struct plan *plan);

/* Leave the plan for another one, and begin that. */
enum turn step_follow(struct run *run, const struct plan *plan);

/* Continue a request at this turn, when its waiter is woken. */
void step_resume(struct run *run, enum turn turn);

/*
 * The store's callback, with the run as arg: calls end() of the step.  A
 * failure is answered here instead: STORE_BROKEN always; STORE_UNAVAILABLE,
 * _REFUSED and _HELD unless the step is optional.
 */
void step_on_answer(void *arg, const struct store_answer *answer);

/*
 * The store, for the next statement of the request: it is answered within two
 * deadlines of the request's arrival, unless the request is a waiter.
 */
struct store *step_store(struct run *run);

/*
 * Refuse the request, or end its stream.  With a game from the recent games
 * begin the plan again, with a load.
 */
enum turn step_refuse(struct run *run, enum err err);

/* Refuse a change that the database would not acknowledge now.  TURN_DONE. */
enum turn step_refuse_change(struct run *run);

/* Refuse with the answer that an outsider gets for a game that does not exist.
 */
enum turn step_refuse_outsider(struct run *run);

/* End the stream by its event "closed", with an enum closing.  TURN_DONE. */
enum turn step_close_stream(struct run *run, unsigned reason);

/* Send the reply, or end the stream, as it is.  TURN_DONE. */
enum turn step_finish(struct run *run);

/*
 * Record the caller as seen, also if the request is refused, with the version
 * that the caller is sent (last_seen.h); 0: it does not count.
 */
void step_note_last_seen(struct run *run, uint32_t version);
