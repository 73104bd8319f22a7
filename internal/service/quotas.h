/*
 * quotas.h - which request counts against which quota or cap.
 */
#pragma once

#include "base/setting.h"
#include "quota/limiter.h"
#include "service/call.h"

struct quotas {
	struct limiter *limiter;
	bool is_on;
	struct quota address;   /* every request, by its address */
	struct quota token;     /* every request with a token, by that */
	struct quota creation;  /* games created, by address */
	struct quota joining;   /* requests by an invitation, by site */
	struct quota listing;   /* pages of the lobby, by address */
	struct quota game;      /* changes, by game */
	struct quota changes;   /* changes in a day, by site (http_site_size) */
	struct quota creations; /* games created in a day, by site */
	struct quota keys;      /* idempotency keys in a day, by token */
	unsigned lobby_cap;     /* public games that wait, by address */
	unsigned connections_cap; /* and requests that wait, by address */
};

/* False if the system gives no random bytes. */
MUST_CHECK bool quotas_open(struct quotas *quotas,
                            const struct settings *settings);
void quotas_close(struct quotas *quotas);

/* Name the quotas and caps that metrics count; once. */
void quotas_name_metrics(void);

/*
 * Count a request whose token has been read, and put what is left into the
 * header of its answer.  ERR_RATE_LIMITED if a quota is used up.  A probe
 * counts but is never refused: otherwise an address that asks too often could
 * make its orchestrator stop the daemon.
 */
MUST_CHECK enum err quotas_take(const struct quotas *quotas, struct call *call);

/* The same for a request that is refused before its token is read. */
MUST_CHECK enum err quotas_count(const struct quotas *quotas,
                                 struct http_request *req);

/*
 * Count a large answer once it is made: a file of /docs or the contract counts
 * as one more request for each QUOTA_UNIT bytes, so that the quota bounds what
 * an address can download.
 */
enum {
	QUOTA_UNIT = 16 * 1024,
	QUOTA_TEXT_UNIT = 128 /* bytes, see quotas_take_change() */
};
void quotas_charge(const struct quotas *quotas, struct call *call);

/*
 * Count what is about to be written to the database: a change by its game, its
 * address and its idempotency key, if it has one.  It counts once for a
 * request, however often it is decided anew; an avatar, or an endpoint with its
 * keys, counts as one more change of its address for each QUOTA_TEXT_UNIT.
 * After ERR_RATE_LIMITED nothing may be written.
 */
MUST_CHECK enum err quotas_take_change(const struct quotas *quotas,
                                       struct call *call);

/*
 * Before a public game is created: true if a cap holds for the public games of
 * its address.  Then the request counts as creating one, and the caller asks
 * the store how many wait and passes that to quotas_check_lobby().
 */
MUST_CHECK bool quotas_enter_lobby(const struct quotas *quotas,
                                   struct call *call);

/*
 * ERR_RATE_LIMITED if the games that wait, and those that other requests were
 * creating when this one entered, reach the cap.
 */
MUST_CHECK enum err quotas_check_lobby(const struct quotas *quotas,
                                       struct call *call,
                                       struct store_waiting waiting);

/*
 * Count a request that waits or is a stream.  A proxy's connection does not
 * show the client's address, so such requests have a count of their own.
 * ERR_RATE_LIMITED at the cap for connections.
 */
MUST_CHECK enum err quotas_enter_wait(const struct quotas *quotas,
                                      struct call *call);

/* The request ends: undo quotas_enter_lobby() and quotas_enter_wait(). */
void quotas_leave(const struct quotas *quotas, struct call *call);

/* An http_connect_fn and an http_disconnect_fn. */
bool quotas_connect(const struct quotas *quotas, const uint8_t *address);
void quotas_disconnect(const struct quotas *quotas, const uint8_t *address);

/* The refusal of a request whose connection quotas_connect() has refused. */
MUST_CHECK enum err quotas_refuse_connection(const struct quotas *quotas,
                                             struct http_request *req);
