/*
 * exporter.h - sends the traces of all loops to a collector, by OTLP over HTTP,
 * from a thread of its own.
 *
 * A collector that is slow, unreachable or wrong costs only traces: they are
 * dropped, and the log counts them (traces_lost), at most once a minute.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/macros.h"
#include "tracing/tracer.h"

struct exporter;

/* True for "", and for a URL of http or https. */
MUST_CHECK bool exporter_url_is_valid(const char *url);

/*
 * Make the tracers of count loops, each of which samples one request in one_in,
 * and start the thread.  The URL is the whole address that traces are posted
 * to; it is borrowed.  NULL for the URL "", and when libcurl or the thread does
 * not start, with a line in the log.
 */
struct exporter *exporter_open(const char *url, unsigned one_in,
                               unsigned count);

/* The tracer of a loop, borrowed; NULL without an exporter. */
struct tracer *exporter_tracer(struct exporter *exporter, unsigned loop);

/* The traces that were lost until now; 0 without an exporter.  For any thread.
 */
uint64_t exporter_lost(const struct exporter *exporter);

/*
 * Send the remaining traces, end the thread (a slow collector can delay that by
 * four seconds), and free all.  No loop may run any more.  NULL is allowed.
 */
void exporter_close(struct exporter *exporter);
