/*
 * sender.h - delivers notifications: takes those that are due from the store,
 * sends them by libcurl, and records their outcomes.
 *
 * Any number of processes share the work.  A process owns what it has taken for
 * the time of a lease.  If it ends before it has recorded the outcome, another
 * process sends the notification again, under the same id.
 */
#pragma once

#include <stdint.h>

#include "base/macros.h"
#include "sender/sender_config.h"

struct sender;

/* NULL: libcurl does not start, or there are no random bytes. */
struct sender *sender_open(const struct sender_config *config);

/*
 * Deliver until stop_fd is readable; then wait for the requests under way, but
 * at most SENDER_STOP_MS.
 */
enum { SENDER_STOP_MS = 4000 };
void sender_run(struct sender *sender, int stop_fd);

void sender_close(struct sender *sender);

/* Name the labels of the metrics, before metric_print(). */
void sender_name_metrics(void);
