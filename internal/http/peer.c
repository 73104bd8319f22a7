#include "http/peer.h"

#include <stdlib.h>

#include <microhttpd.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/memory.h"

struct peer *peer_open(struct MHD_Connection *connection, int fd)
{
	struct peer *peer = memory_take_zeroed(sizeof(*peer));

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

/*
 * libmicrohttpd finds the socket at its end and closes the connection.  One
 * whose buffer is full of what it cannot take (the extension of a chunk) it
 * does not read any more; that one it closes as idle for a second.
 */
void peer_end(struct peers *peers, struct peer *peer)
{
	peer_stop_waiting(peers, peer);
	(void)shutdown(peer->fd, SHUT_RDWR);
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
