/*
 * limited.h - which limits hold for a request.
 */
#ifndef SERVICE_QUOTAS_H
#define SERVICE_QUOTAS_H

#include "base/setting.h"
#include "quota/usage.h"
#include "service/call.h"

struct quotas {
	struct usage *limits;
	bool is_on;
	struct quota address;  /* every request, by its address */
	struct quota token;    /* and by its token */
	struct quota creation; /* by address, as below */
	struct quota joining;  /* and guessing a code */
	struct quota listing;  /* pages of the lobby */
	struct quota game;     /* changes, by the game */
	struct quota changes;  /* of a day, by the site of the address */
	struct quota creations;
	struct quota keys;    /* of a day, by token */
	unsigned lobby;       /* public games that wait at a time */
	unsigned connections; /* or requests that wait, at a time */
};

/* False without chance for the limits' key. */
MUST_CHECK bool quotas_open(struct quotas *limited,
                            const struct settings *settings);
void quotas_close(struct quotas *limited);

/*
 * Count the request, whose token was read, and have the answer say what is
 * left.  ERR_RATE_LIMITED if it is one too many; but a probe is never refused,
 * or an address that asks too often could have its orchestrator end the
 * process.
 */
MUST_CHECK enum err quotas_take(const struct quotas *limited,
                                struct call *call);

/* The same of a request that is refused before anybody looks at a token. */
MUST_CHECK enum err quotas_count(const struct quotas *limited,
                                 struct http_request *req);

/*
 * Count an answer by its size, once it is made: files of /docs and the contract
 * for one request more for each LIMITED_UNIT bytes, so that what an address
 * may draw is bounded by what it may ask.
 */
enum { LIMITED_UNIT = 16 * 1024 };
void quotas_charge(const struct quotas *limited, struct call *call);

/*
 * Count what is about to be written to the database: a change by its game, its
 * address and, if it has one, its key.  Once for a request, however often it
 * is decided anew.  ERR_RATE_LIMITED if it is one too many; then nothing is to
 * be written.
 */
MUST_CHECK enum err quotas_take_change(const struct quotas *limited,
                                       struct call *call);

/*
 * How many public games of an address wait in the lobby is limited.  Before one
 * is created, enter: false if nothing limits it.  If true, the request counts
 * among those of its address that are creating one, and the store is to be
 * asked how many wait.
 */
MUST_CHECK bool quotas_enter_lobby(const struct quotas *limited,
                                   struct call *call);

/*
 * Of a request that has entered, with the number that the store told:
 * ERR_RATE_LIMITED if those, and the ones that others were creating when it
 * entered, are as many as may be.
 */
MUST_CHECK enum err quotas_check_lobby(const struct quotas *limited,
                                       struct call *call,
                                       struct store_waiting waiting);

/*
 * Count a request as one that waits, or is a stream: connections by way of a
 * proxy say nothing of whose they are.  ERR_RATE_LIMITED if as many of its
 * address do so already as may have connections.
 */
MUST_CHECK enum err quotas_enter_wait(const struct quotas *limited,
                                      struct call *call);

/* The request ends, and counts no more; one that did not enter may leave too.
 */
void quotas_leave(const struct quotas *limited, struct call *call);

/* An http_connect_fn and an http_disconnect_fn. */
bool quotas_connect(const struct quotas *limited, const uint8_t *address);
void quotas_disconnect(const struct quotas *limited, const uint8_t *address);

#endif
