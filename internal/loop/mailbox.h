/*
 * mailbox.h - changes that other event loops committed.
 *
 * Any loop puts, only the owner takes.  When the mailbox is full the
 * message is dropped; the poll (poll_versions.h) finds the change instead.
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>

#include "loop/handover.h"
#include "store/store.h"

enum { MAILBOX_MAX = 1024 };

struct mail {
	struct store_version version;
	struct handover *handover; /* owned; NULL: waiters load the game */
};

struct mailbox {
	int wake_fd; /* an eventfd, readable when there is something to do */
	pthread_mutex_t lock;
	unsigned count; /* of mails; guarded by lock, as they are */
	struct mail mails[MAILBOX_MAX];
};

void mailbox_open(struct mailbox *mailbox);
void mailbox_close(struct mailbox *mailbox);

/*
 * Put a change, and wake the owner.  Takes ownership of the handover.  False:
 * there is no room.
 */
bool mailbox_put(struct mailbox *mailbox, struct mail mail);

/* Wake the owner for another reason. */
void mailbox_wake(struct mailbox *mailbox);

/*
 * Take all changes, at most MAILBOX_MAX; returns their number.  The caller owns
 * their handovers.
 */
unsigned mailbox_take(struct mailbox *mailbox, struct mail *mails);
