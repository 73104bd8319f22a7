/*
 * cap.h - the connections of all servers of a process, which have one cap.
 *
 * Each server tells since when its longest idle connection is idle.  When there
 * are too many, the server that accepted one ends its own longest idle, or asks
 * the server whose longest idle is older, which does so in its next run.  Until
 * then there are a few more than the cap, HTTP_CAP_SPARE at most.
 *
 * Private to this folder; http.h has what the loop calls.
 */
#ifndef HTTP_CAP_H
#define HTTP_CAP_H

#include <stdbool.h>
#include <stdint.h>

#include "http/http.h"

/* The slot of another server; fewer than http_cap_open() was told have one. */
unsigned cap_join(struct http_cap *cap);

/* The server of the slot ends: it is not asked any more. */
void cap_part(struct http_cap *cap, unsigned slot);

/* Readable when another server asks to end connections. */
int cap_asked_fd(const struct http_cap *cap, unsigned slot);

/* How many connections it was asked to end since the last call. */
unsigned cap_take_asked(struct http_cap *cap, unsigned slot);

/* Count a connection in and out. */
void cap_enter(struct http_cap *cap);
void cap_leave(struct http_cap *cap);

/* How many there may be, and how many more there are. */
unsigned cap_most(const struct http_cap *cap);
unsigned cap_excess(const struct http_cap *cap);

/* Tell since when the longest idle one is idle; UINT64_MAX: none is. */
void cap_tell_idle(struct http_cap *cap, unsigned slot, uint64_t since_ns);

/*
 * Ask the server whose longest idle connection is idle longest to end it.
 * False if none is idle longer than the asking server's, which is so since
 * since_ns, or if others lag behind what they were asked.
 */
MUST_CHECK bool cap_ask_other(struct http_cap *cap, unsigned slot,
                              uint64_t since_ns);

#endif
