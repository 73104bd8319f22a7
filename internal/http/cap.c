/*
 * The count of connections is one number for the process.  A connection that a
 * server has ended leaves the count at once, though libmicrohttpd closes it a
 * little later.  Slots are taken while the servers are opened, by one thread;
 * from then on threads share nothing but the atomic numbers and the eventfds,
 * which stay open until all servers are closed.
 */
#include "http/cap.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/memory.h"

struct slot {
	_Atomic uint64_t idle_since_ns; /* UINT64_MAX: none is idle */
	int asked_fd; /* an eventfd: how many the others ask to be ended */
};

struct http_cap {
	unsigned most;
	_Atomic unsigned count;
	unsigned joined;
	unsigned slots_count;
	struct slot slots[];
};

struct http_cap *http_cap_open(unsigned connections, unsigned servers)
{
	struct http_cap *cap =
		xcalloc(1, sizeof(*cap) + servers * sizeof(cap->slots[0]));

	cap->most = connections;
	cap->slots_count = servers;
	for (unsigned i = 0; i < servers; i++) {
		cap->slots[i].idle_since_ns = UINT64_MAX;
		cap->slots[i].asked_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
		/* There is no memory for it, or no number. */
		if (cap->slots[i].asked_fd < 0)
			memory_fail();
	}
	return cap;
}

void http_cap_close(struct http_cap *cap)
{
	if (!cap)
		return;
	for (unsigned i = 0; i < cap->slots_count; i++)
		(void)close(cap->slots[i].asked_fd);
	free(cap);
}

unsigned cap_most(const struct http_cap *cap)
{
	return cap->most;
}

unsigned cap_join(struct http_cap *cap)
{
	assert(cap->joined < cap->slots_count);
	return cap->joined++;
}

void cap_part(struct http_cap *cap, unsigned slot)
{
	cap->slots[slot].idle_since_ns = UINT64_MAX;
}

int cap_asked_fd(const struct http_cap *cap, unsigned slot)
{
	return cap->slots[slot].asked_fd;
}

unsigned cap_take_asked(struct http_cap *cap, unsigned slot)
{
	uint64_t asked = 0;

	if (read(cap->slots[slot].asked_fd, &asked, sizeof(asked)) < 0)
		return 0;
	return (unsigned)asked;
}

void cap_enter(struct http_cap *cap)
{
	cap->count++;
}

void cap_leave(struct http_cap *cap)
{
	unsigned before = cap->count--;

	assert(before > 0);
	(void)before;
}

unsigned cap_excess(const struct http_cap *cap)
{
	unsigned count = cap->count;

	return count > cap->most ? count - cap->most : 0;
}

void cap_tell_idle(struct http_cap *cap, unsigned slot, uint64_t since_ns)
{
	cap->slots[slot].idle_since_ns = since_ns;
}

bool cap_ask_other(struct http_cap *cap, unsigned slot, uint64_t since_ns)
{
	uint64_t oldest_ns = since_ns;
	unsigned oldest = slot;
	uint64_t one = 1;

	if (cap_excess(cap) > HTTP_CAP_SPARE)
		return false;
	for (unsigned i = 0; i < cap->joined; i++) {
		uint64_t idle_ns = cap->slots[i].idle_since_ns;

		if (i != slot && idle_ns < oldest_ns) {
			oldest_ns = idle_ns;
			oldest = i;
		}
	}
	return oldest != slot && write(cap->slots[oldest].asked_fd, &one,
	                               sizeof(one)) == sizeof(one);
}
