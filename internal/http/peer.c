#include "http/peer.h"

#include <errno.h>
#include <stdlib.h>

#include <linux/tcp.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/memory.h"

/* A request that arrives for so long counts as idle. */
static const uint64_t arriving_ns = CLOCK_NS_PER_S;

enum { TRIES_MAX = 64 };

struct peer *peer_open(struct MHD_Connection *connection, int fd)
{
	struct peer *peer = xcalloc(1, sizeof(*peer));

	peer->connection = connection;
	peer->fd = fd;
	peer->wait = PEER_BUSY;
	return peer;
}

void peer_close(struct peers *peers, struct peer *peer)
{
	peer_stop_waiting(peers, peer);
	free(peer);
}

void peer_wait_for(struct peers *peers, struct peer *peer, enum peer_wait wait)
{
	peer_stop_waiting(peers, peer);
	peer->wait = wait;
	peer->due_ns = clock_monotonic_ns() + peers->waits_ns[wait];
	peer->before = peers->lists[wait].last;
	peer->after = NULL;
	if (peer->before)
		peer->before->after = peer;
	else
		peers->lists[wait].first = peer;
	peers->lists[wait].last = peer;
}

void peer_stop_waiting(struct peers *peers, struct peer *peer)
{
	if (peer->wait == PEER_BUSY)
		return;
	if (peer->before)
		peer->before->after = peer->after;
	else
		peers->lists[peer->wait].first = peer->after;
	if (peer->after)
		peer->after->before = peer->before;
	else
		peers->lists[peer->wait].last = peer->before;
	peer->wait = PEER_BUSY;
}

void peer_shut(struct peers *peers, struct peer *peer)
{
	peer_stop_waiting(peers, peer);
	peer->is_shut = true;
	(void)shutdown(peer->fd, SHUT_RDWR);
}

/*
 * libmicrohttpd finds the socket at its end and closes the connection.  One
 * whose buffer is full of what it cannot take (the extension of a chunk) it
 * does not read any more; that one it closes as idle for a second.
 */
void peer_end(struct peers *peers, struct peer *peer)
{
	peer_shut(peers, peer);
	(void)MHD_set_connection_option(peer->connection,
	                                MHD_CONNECTION_OPTION_TIMEOUT, 1U);
}

void peer_end_late(struct peers *peers)
{
	uint64_t now = clock_monotonic_ns();

	for (unsigned wait = 0; wait < PEER_WAITS; wait++) {
		struct peer *peer;

		while ((peer = peers->lists[wait].first) && peer->due_ns <= now)
			peer_end(peers, peer);
	}
}

/* Since when it counts as idle, which may be later than now. */
static uint64_t idle_since_ns(const struct peers *peers,
                              const struct peer *peer)
{
	uint64_t since_ns = peer->due_ns - peers->waits_ns[peer->wait];

	return peer->wait == PEER_WHOLE ? since_ns + arriving_ns : since_ns;
}

/* Of those, one of each list or none, the one that is idle longest, or NULL. */
static struct peer *longest_idle(const struct peers *peers,
                                 struct peer *const heads[PEER_WAITS])
{
	uint64_t least_ns = clock_monotonic_ns();
	struct peer *longest = NULL;

	for (unsigned wait = 0; wait < PEER_WAITS; wait++) {
		if (!heads[wait] ||
		    idle_since_ns(peers, heads[wait]) > least_ns)
			continue;
		longest = heads[wait];
		least_ns = idle_since_ns(peers, longest);
	}
	return longest;
}

uint64_t peer_idle_since_ns(const struct peers *peers)
{
	struct peer *heads[PEER_WAITS];

	for (unsigned wait = 0; wait < PEER_WAITS; wait++)
		heads[wait] = peers->lists[wait].first;
	const struct peer *longest = longest_idle(peers, heads);
	return longest ? idle_since_ns(peers, longest) : UINT64_MAX;
}

/*
 * Has its next request, or a part of it, come while nobody looked?  What is
 * left unread of a request that arrives for too long does not count:
 * libmicrohttpd may never read it.
 */
static bool has_unread(const struct peer *peer)
{
	char byte;

	if (peer->wait == PEER_WHOLE)
		return false;
	return recv(peer->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

struct peer *peer_find_idle(const struct peers *peers)
{
	struct peer *heads[PEER_WAITS];

	for (unsigned wait = 0; wait < PEER_WAITS; wait++)
		heads[wait] = peers->lists[wait].first;
	for (unsigned tries = 0; tries < TRIES_MAX; tries++) {
		struct peer *longest = longest_idle(peers, heads);

		if (!longest || !has_unread(longest))
			return longest;
		heads[longest->wait] = longest->after;
	}
	return NULL;
}

bool peer_is_dropped(const struct peer *peer)
{
	struct tcp_info info = { .tcpi_bytes_sent = 0 };
	socklen_t len = sizeof(info);
	char byte;

	if (peer->has_asked || peer->is_shut)
		return false;
	ssize_t left = recv(peer->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
	bool is_there = left > 0 || (left < 0 && errno == EAGAIN);
	return is_there &&
	       getsockopt(peer->fd, IPPROTO_TCP, TCP_INFO, &info, &len) == 0 &&
	       info.tcpi_bytes_received > 0 && info.tcpi_bytes_sent == 0;
}

uint64_t peer_timeout_ns(const struct peers *peers)
{
	uint64_t now = clock_monotonic_ns();
	uint64_t timeout = UINT64_MAX;

	for (unsigned wait = 0; wait < PEER_WAITS; wait++) {
		const struct peer *peer = peers->lists[wait].first;

		if (!peer)
			continue;
		uint64_t left = peer->due_ns > now ? peer->due_ns - now : 0;
		if (left < timeout)
			timeout = left;
	}
	return timeout;
}
