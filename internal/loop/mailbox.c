/*
 * mailbox.c - an array under a lock, and an eventfd.  The lock is held only for
 * a copy.  Only the first mail in an empty mailbox wakes the owner, which
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
	for (unsigned i = 0; i < mailbox->count; i++)
		handover_free(mailbox->mails[i].handover);
	(void)close(mailbox->wake_fd);
}

void mailbox_wake(struct mailbox *mailbox)
{
	uint64_t one = 1;

	/* It fails only if the owner has been woken 2^64 times over. */
	(void)!write(mailbox->wake_fd, &one, sizeof(one));
}

bool mailbox_put(struct mailbox *mailbox, struct mail mail)
{
	bool was_empty = false;
	bool has_room;

	pthread_mutex_lock(&mailbox->lock);
	has_room = mailbox->count < MAILBOX_MAX;
	if (has_room) {
		was_empty = mailbox->count == 0;
		mailbox->mails[mailbox->count++] = mail;
	}
	pthread_mutex_unlock(&mailbox->lock);
	if (!has_room)
		handover_free(mail.handover);
	if (was_empty)
		mailbox_wake(mailbox);
	return has_room;
}

unsigned mailbox_take(struct mailbox *mailbox, struct mail *mails)
{
	uint64_t wakes;

	(void)!read(mailbox->wake_fd, &wakes, sizeof(wakes));
	pthread_mutex_lock(&mailbox->lock);
	unsigned count = mailbox->count;
	memcpy(mails, mailbox->mails, count * sizeof(*mails));
	mailbox->count = 0;
	pthread_mutex_unlock(&mailbox->lock);
	return count;
}
