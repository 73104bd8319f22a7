/*
 * scrape.h - a listener for the operator's monitoring, apart from the service.
 *
 * It has a thread of its own, serves a text at /metrics to GET and HEAD, and
 * refuses all else.
 */
#pragma once

#include <stddef.h>

struct scrape;

/* Makes the text, in the listener's thread; the listener frees it. */
typedef char *(*scrape_fn)(void *arg, size_t *len);

/*
 * Serve on a listening socket, which is taken over.  Without memory, a
 * descriptor or a thread the process ends (base/memory.h).
 */
struct scrape *scrape_open(int listen_fd, scrape_fn text, void *arg);

/* End the thread.  NULL is fine. */
void scrape_close(struct scrape *scrape);
