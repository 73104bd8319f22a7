/*
 * cap.h - one cap on the connections of all servers of a process.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "http/http.h"
#include "http/peer.h"

/* The place of one server under the cap. */
struct cap_slot;

/*
 * Begin and end a server, whose connections are peers.  http_cap_open() says
 * how many servers may begin; no server asks one that has ended.
 */
struct cap_slot *cap_join(struct http_cap *cap, struct peers *peers);
void cap_part(struct cap_slot *slot);

/* How many connections there may be. */
unsigned cap_most(const struct http_cap *cap);

/* Readable when another server asks for cap_end_asked(). */
int cap_asked_fd(const struct cap_slot *slot);

/*
 * Count a new connection in.  If it is one too many, an idle connection is
 * ended for it, here or by another server; or else the new one itself, though
 * its request may have arrived.  False if there were too many.
 */
MUST_CHECK bool cap_enter(struct cap_slot *slot, struct peer *peer);

/* Count a connection out, if it was counted in. */
void cap_leave(struct cap_slot *slot, struct peer *peer);

/* End as many idle connections as other servers ask for. */
void cap_end_asked(struct cap_slot *slot);

/* Publish since when the longest idle connection is idle. */
void cap_publish_idle(struct cap_slot *slot);
