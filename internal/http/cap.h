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
 * Count a new connection.  If it exceeds the cap, an idle connection is ended,
 * here or by another server; without an idle connection the new one itself is
 * ended, though its request may have arrived.  False if it exceeded the cap.
 */
MUST_CHECK bool cap_enter(struct cap_slot *slot, struct peer *peer);

/* Stop counting a connection, if it was counted. */
void cap_leave(struct cap_slot *slot, struct peer *peer);

/* End as many idle connections as other servers ask for. */
void cap_end_asked(struct cap_slot *slot);

/* Publish when the oldest idle connection became idle. */
void cap_publish_idle(struct cap_slot *slot);
