/*
 * LIBMICROHTTPD.md says which connection ends at the cap.  Each server
 * publishes when its oldest idle connection became idle, and has an eventfd by
 * which another server asks it to close that connection in its next run.  A
 * connection that a server has ended leaves the count at once, though
 * libmicrohttpd closes it a little later.  One thread opens all servers and so
 * takes all slots; from then on threads share only the atomic numbers and the
 * eventfds, which stay open until all servers are closed.
 */
#include "http/cap.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/memory.h"
#include "metric/metric.h"

struct cap_slot {
	struct http_cap *cap;
	struct peers *peers;            /* for the slot's own server alone */
	_Atomic uint64_t idle_since_ns; /* UINT64_MAX: no connection is idle */
	int asked_fd; /* an eventfd: how many connections to end */
};

struct http_cap {
	unsigned most;
	_Atomic unsigned count;
	unsigned joined;
	unsigned slots_count;
	struct cap_slot slots[];
};

struct http_cap *http_cap_open(unsigned connections, unsigned servers)
{
	struct http_cap *cap =
		xcalloc(1, sizeof(*cap) + servers * sizeof(cap->slots[0]));

	cap->most = connections;
	cap->slots_count = servers;
	for (unsigned i = 0; i < servers; i++) {
		struct cap_slot *slot = &cap->slots[i];

		slot->cap = cap;
		slot->idle_since_ns = UINT64_MAX;
		slot->asked_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
		memory_expect_descriptor(slot->asked_fd);
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

struct cap_slot *cap_join(struct http_cap *cap, struct peers *peers)
{
	assert(cap->joined < cap->slots_count);
	struct cap_slot *slot = &cap->slots[cap->joined++];

	slot->peers = peers;
	return slot;
}

void cap_part(struct cap_slot *slot)
{
	slot->idle_since_ns = UINT64_MAX;
}

unsigned cap_most(const struct http_cap *cap)
{
	return cap->most;
}

int cap_asked_fd(const struct cap_slot *slot)
{
	return slot->asked_fd;
}

void cap_leave(struct cap_slot *slot, struct peer *peer)
{
	if (!peer->is_capped)
		return;
	peer->is_capped = false;
	unsigned before = slot->cap->count--;
	assert(before > 0);
	(void)before;
}

static unsigned excess(const struct http_cap *cap)
{
	unsigned count = cap->count;

	return count > cap->most ? count - cap->most : 0;
}

/* End up to this many connections, but only those above the cap. */
static void end_idle(struct cap_slot *slot, unsigned count)
{
	struct peer *peer;

	while (count-- > 0 && excess(slot->cap) > 0 &&
	       (peer = peer_find_idle(slot->peers))) {
		cap_leave(slot, peer);
		peer_end(peer);
		metric_add(METRIC_EVICTIONS, 0, 1);
	}
}

/*
 * Ask the server with the oldest idle connection to close it.  False if no
 * connection has been idle since before since_ns, or if too many connections
 * are waiting to be closed already.
 */
static bool ask_other(const struct cap_slot *slot, uint64_t since_ns)
{
	struct http_cap *cap = slot->cap;
	const struct cap_slot *oldest = NULL;
	uint64_t one = 1;

	if (excess(cap) > HTTP_CAP_SPARE)
		return false;
	for (unsigned i = 0; i < cap->joined; i++) {
		const struct cap_slot *other = &cap->slots[i];
		uint64_t idle_ns = other->idle_since_ns;

		if (other != slot && idle_ns < since_ns) {
			since_ns = idle_ns;
			oldest = other;
		}
	}
	return oldest &&
	       write(oldest->asked_fd, &one, sizeof(one)) == sizeof(one);
}

bool cap_enter(struct cap_slot *slot, struct peer *peer)
{
	struct http_cap *cap = slot->cap;

	cap->count++;
	peer->is_capped = true;
	if (excess(cap) == 0)
		return true;
	if (ask_other(slot, peer_idle_since_ns(slot->peers)))
		return false;
	end_idle(slot, excess(cap));
	if (excess(cap) > 0 && peer->is_capped) {
		cap_leave(slot, peer);
		peer_shut(peer);
		metric_add(METRIC_EVICTIONS, 0, 1);
	}
	return false;
}

void cap_publish_idle(struct cap_slot *slot)
{
	slot->idle_since_ns = peer_idle_since_ns(slot->peers);
}

/* If too few connections are idle now, ask the next server. */
void cap_end_asked(struct cap_slot *slot)
{
	uint64_t asked = 0;

	if (read(slot->asked_fd, &asked, sizeof(asked)) < 0)
		asked = 0;
	end_idle(slot, (unsigned)asked);
	cap_publish_idle(slot);
	if (excess(slot->cap) > 0)
		(void)!ask_other(slot, UINT64_MAX);
}
