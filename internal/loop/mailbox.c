/*
 * mailbox.c - an array under a lock, and an eventfd.  The lock is held only for
 * a copy.  Only the first version in an empty mailbox wakes the owner, which
 * then takes all of them.
 */
#include "loop/mailbox.h"

#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/memory.h"

void mailbox_open(struct mailbox *mailbox)
{
	(void)pthread_mutex_init(&mailbox->lock, NULL);
	mailbox->count = 0;
	mailbox->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	memory_expect_descriptor(mailbox->wake_fd);
}

void mailbox_close(struct mailbox *mailbox)
{
	(void)close(mailbox->wake_fd);
}

void mailbox_wake(struct mailbox *mailbox)
{
	uint64_t one = 1;

	/* It fails only if the owner has been woken 2^64 times over. */
	(void)!write(mailbox->wake_fd, &one, sizeof(one));
}

void mailbox_put(struct mailbox *mailbox, struct store_version version)
{
	bool was_empty = false;

	pthread_mutex_lock(&mailbox->lock);
	if (mailbox->count < MAILBOX_MAX) {
		was_empty = mailbox->count == 0;
		mailbox->versions[mailbox->count++] = version;
	}
	pthread_mutex_unlock(&mailbox->lock);
	if (was_empty)
		mailbox_wake(mailbox);
}

unsigned mailbox_take(struct mailbox *mailbox, struct store_version *versions)
{
	uint64_t wakes;

	(void)!read(mailbox->wake_fd, &wakes, sizeof(wakes));
	pthread_mutex_lock(&mailbox->lock);
	unsigned count = mailbox->count;
	memcpy(versions, mailbox->versions, count * sizeof(*versions));
	mailbox->count = 0;
	pthread_mutex_unlock(&mailbox->lock);
	return count;
}
