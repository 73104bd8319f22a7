/*
 * sender.h - delivers notifications: takes those that are due from the store,
 * sends them by libcurl, and says what became of them.
 *
 * Any number of processes share the work.  What one has taken is its own for
 * the time of a lease; if it ends before it has said what became of it, another
 * one sends it again, under the same id.
 */
#pragma once

#include <stdint.h>

#include "base/macros.h"
#include "sender/sender_config.h"

struct sender;

/* NULL: libcurl does not start, or there are no random bytes. */
struct sender *sender_open(const struct sender_config *config);

/*
 * Deliver until stop_fd is readable; then wait for what is on its way, but no
 * longer than SENDER_STOP_MS.
 */
enum { SENDER_STOP_MS = 4000 };
void sender_run(struct sender *sender, int stop_fd);

void sender_close(struct sender *sender);

/* Name the labels of the metrics, before metric_print(). */
void sender_name_metrics(void);
