/*
 * pg_wait.h - waiting for a result outside of the event loop.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <libpq-fe.h>

#include "base/macros.h"

/*
 * Send what is queued and wait until PQgetResult() does not block.  False if
 * the connection breaks, the time (monotonic, ns) comes first, or stop_fd
 * becomes readable (-1: nothing stops it).
 */
MUST_CHECK bool pg_wait(PGconn *pg, int stop_fd, uint64_t deadline_ns);
