/*
 * mailbox.h - versions that other event loops committed.
 *
 * Any loop puts, only the owner takes.  When the mailbox is full the
 * message is dropped; the poll (poll_versions.h) finds the change instead.
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>

#include "store/store.h"

enum { MAILBOX_MAX = 1024 };

struct mailbox {
	int wake_fd; /* an eventfd, readable when there is something to do */
	pthread_mutex_t lock;
	unsigned count; /* of versions; guarded by lock, as they are */
	struct store_version versions[MAILBOX_MAX];
};

void mailbox_open(struct mailbox *mailbox);
void mailbox_close(struct mailbox *mailbox);

/* Put a version, and wake the owner. */
void mailbox_put(struct mailbox *mailbox, struct store_version version);

/* Wake the owner for another reason. */
void mailbox_wake(struct mailbox *mailbox);

/* Take all versions, at most MAILBOX_MAX; returns their number. */
unsigned mailbox_take(struct mailbox *mailbox, struct store_version *versions);
