/*
 * libmicrohttpd's own timeout starts again with every byte, so a client could
 * drip bytes for ever.  Therefore each connection that the server waits for is
 * also in one of four lists, by the event it waits for (enum peer_wait).  All
 * connections of a list wait equally long, so each list is in the order of
 * due_ns and its first one is due first.
 *
 * libmicrohttpd overlooks that a client has gone if the end arrives together
 * with its last request.  So a connection is looked at once when it has waited
 * for its next request for a second; then it changes from PEER_NEXT to
 * PEER_IDLE.
 *
 * A busy connection is in no list.  libmicrohttpd does not look at a suspended
 * one, so an epoll set reports that the client of a waiting request has gone.
 * Late connections are shut down and not closed: only libmicrohttpd closes
 * sockets, when it finds one at its end.
 */
#include "http/peer.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/tcp.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/memory.h"

/* A request that takes longer than this to arrive counts as idle. */
static const uint64_t arriving_ns = CLOCK_NS_PER_S;

/* A client that reads nothing of its stream for this time has gone. */
static const uint64_t unread_ns = 60 * CLOCK_NS_PER_S;

/* How soon after an answer to look whether the client has gone. */
static const uint64_t look_ns = CLOCK_NS_PER_S;

enum { TRIES_MAX = 64 };

void peer_init(struct peers *peers, uint64_t whole_ns, uint64_t idle_ns,
               int asked_fd)
{
	struct epoll_event asked = { .events = EPOLLIN, .data.ptr = NULL };
	uint64_t next_ns = look_ns < idle_ns / 2 ? look_ns : idle_ns / 2;

	*peers = (struct peers){
		.waits_ns = { [PEER_FIRST] = whole_ns,
		              [PEER_WHOLE] = whole_ns,
		              [PEER_NEXT] = next_ns,
		              [PEER_IDLE] = idle_ns - next_ns,
		              [PEER_UNREAD] = unread_ns },
		.gone_fd = epoll_create1(EPOLL_CLOEXEC),
	};
	for (unsigned wait = 0; wait < PEER_WAIT_COUNT; wait++)
		TAILQ_INIT(&peers->lists[wait]);
	TAILQ_INIT(&peers->given_back);
	memory_expect_descriptor(peers->gone_fd);
	int failed = epoll_ctl(peers->gone_fd, EPOLL_CTL_ADD, asked_fd, &asked);
	assert(!failed);
	(void)failed;
}

void peer_fini(struct peers *peers)
{
	(void)close(peers->gone_fd);
}

static int socket_of(struct MHD_Connection *connection)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(connection,
	                                MHD_CONNECTION_INFO_CONNECTION_FD);

	assert(info);
	return info->connect_fd;
}

struct peer *peer_open(struct peers *peers, struct MHD_Connection *connection)
{
	struct peer *peer = xcalloc(1, sizeof(*peer));

	peer->peers = peers;
	peer->connection = connection;
	peer->fd = socket_of(connection);
	peer->wait = PEER_BUSY;
	peer_wait_for(peer, PEER_FIRST);
	return peer;
}

struct peer *peer_detach(struct peer *peer)
{
	int fd = fcntl(peer->fd, F_DUPFD_CLOEXEC, 0);
	struct peer *detached;

	if (fd < 0)
		return NULL;
	peer_unwatch(peer);
	peer_stop_waiting(peer);
	detached = xmalloc(sizeof(*detached));
	*detached = *peer;
	detached->fd = fd;
	detached->connection = NULL;
	peer->is_detached = true;
	peer->exchange = NULL;
	peer->is_counted = peer->is_beyond = peer->is_capped = false;
	return detached;
}

void peer_send_at_once(const struct peer *peer)
{
	static const int on = 1;

	(void)setsockopt(peer->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

void peer_close_socket(struct peer *peer)
{
	peer_unwatch(peer);
	if (peer->fd >= 0)
		(void)close(peer->fd);
	peer->fd = -1;
}

bool peer_give_back(struct peer *peer, struct MHD_Daemon *daemon)
{
	struct peers *peers = peer->peers;
	struct sockaddr_in6 address = { .sin6_family = AF_INET6 };

	memcpy(&address.sin6_addr, peer->address, sizeof(peer->address));
	peer_unwatch(peer);
	peer_stop_waiting(peer);
	TAILQ_INSERT_TAIL(&peers->given_back, peer, in_list);
	if (MHD_add_connection(daemon, peer->fd,
	                       (const struct sockaddr *)&address,
	                       sizeof(address)) == MHD_YES)
		return true;
	TAILQ_REMOVE(&peers->given_back, peer, in_list);
	peer->fd = -1;
	return false;
}

/* The address that peer_give_back() made has no port; that of a client has. */
static bool is_given_back(struct MHD_Connection *connection)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(connection,
	                                MHD_CONNECTION_INFO_CLIENT_ADDRESS);
	struct sockaddr_in6 address;

	assert(info);
	if (info->client_addr->sa_family != AF_INET6)
		return false;
	memcpy(&address, info->client_addr, sizeof(address));
	return address.sin6_port == 0;
}

/*
 * A new client may have the descriptor of a connection that libmicrohttpd 1.0
 * has just closed instead of beginning it.
 */
struct peer *peer_take_back(struct peers *peers,
                            struct MHD_Connection *connection)
{
	struct peer *peer = TAILQ_FIRST(&peers->given_back);

	if (!peer || !is_given_back(connection))
		return NULL;
	int fd = socket_of(connection);
	while (peer && peer->fd != fd)
		peer = TAILQ_NEXT(peer, in_list);
	if (!peer)
		return NULL;
	TAILQ_REMOVE(&peers->given_back, peer, in_list);
	peer->connection = connection;
	peer_wait_for(peer, PEER_NEXT);
	return peer;
}

struct peer *peer_find_lost(struct peers *peers)
{
	struct peer *peer = TAILQ_FIRST(&peers->given_back);

	if (!peer)
		return NULL;
	TAILQ_REMOVE(&peers->given_back, peer, in_list);
	peer->fd = -1;
	return peer;
}

void peer_close(struct peer *peer)
{
	peer_stop_waiting(peer);
	free(peer);
}

struct peer *peer_of(struct MHD_Connection *connection)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(connection,
	                                MHD_CONNECTION_INFO_SOCKET_CONTEXT);

	assert(info && info->socket_context);
	return info->socket_context;
}

void peer_wait_for(struct peer *peer, enum peer_wait wait)
{
	struct peers *peers = peer->peers;

	peer_stop_waiting(peer);
	peer->wait = wait;
	peer->due_ns = clock_monotonic_ns() + peers->waits_ns[wait];
	TAILQ_INSERT_TAIL(&peers->lists[wait], peer, in_list);
}

void peer_stop_waiting(struct peer *peer)
{
	if (peer->wait == PEER_BUSY)
		return;
	TAILQ_REMOVE(&peer->peers->lists[peer->wait], peer, in_list);
	peer->wait = PEER_BUSY;
}

void peer_shut(struct peer *peer)
{
	peer_stop_waiting(peer);
	peer->is_shut = true;
	(void)shutdown(peer->fd, SHUT_RDWR);
}

/*
 * libmicrohttpd finds the socket at its end and closes the connection.  It does
 * not read one whose buffer is full of bytes that it cannot take (the extension
 * of a chunk); that one it closes when nothing has happened for a second.
 */
void peer_end(struct peer *peer)
{
	peer_shut(peer);
	if (peer->connection)
		(void)MHD_set_connection_option(peer->connection,
		                                MHD_CONNECTION_OPTION_TIMEOUT,
		                                1U);
}

/* 1: unread bytes; 0: the end; -1: neither yet (EAGAIN), or a failure. */
static ssize_t peek(const struct peer *peer)
{
	char byte;

	return recv(peer->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
}

static bool has_gone(const struct peer *peer)
{
	ssize_t left = peek(peer);

	return left == 0 || (left < 0 && errno != EAGAIN);
}

void peer_end_late(struct peers *peers)
{
	uint64_t now = clock_monotonic_ns();

	for (unsigned wait = 0; wait < PEER_WAIT_COUNT; wait++) {
		struct peer *peer;

		while ((peer = TAILQ_FIRST(&peers->lists[wait])) &&
		       peer->due_ns <= now) {
			if (wait == PEER_NEXT && !has_gone(peer))
				peer_wait_for(peer, PEER_IDLE);
			else
				peer_end(peer);
		}
	}
}

void peer_watch(struct peer *peer)
{
	struct epoll_event event = { .events = EPOLLRDHUP, .data.ptr = peer };

	if (peer->is_watched)
		return;
	peer->is_watched = epoll_ctl(peer->peers->gone_fd, EPOLL_CTL_ADD,
	                             peer->fd, &event) == 0;
	peer->has_ended = false;
}

void peer_unwatch(struct peer *peer)
{
	if (peer->is_watched)
		(void)epoll_ctl(peer->peers->gone_fd, EPOLL_CTL_DEL, peer->fd,
		                NULL);
	peer->is_watched = peer->wants_room = false;
}

/* Its end is reported once, or else it would be readable all the time. */
bool peer_watch_room(struct peer *peer, bool wants_room)
{
	struct epoll_event event = { .data.ptr = peer };
	int change = peer->is_watched ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;

	if (peer->wants_room == wants_room)
		return true;
	if (!peer->has_ended)
		event.events |= EPOLLRDHUP;
	if (wants_room)
		event.events |= EPOLLOUT;
	if (epoll_ctl(peer->peers->gone_fd, change, peer->fd, &event))
		return false;
	peer->is_watched = true;
	peer->wants_room = wants_room;
	return true;
}

size_t peer_take_events(struct peers *peers,
                        struct peer_event events[PEER_EVENTS_MAX])
{
	struct epoll_event ready[PEER_EVENTS_MAX];
	int count = epoll_wait(peers->gone_fd, ready, PEER_EVENTS_MAX, 0);

	for (int i = 0; i < count; i++) {
		struct peer *peer = ready[i].data.ptr;

		events[i].peer = peer;
		events[i].has_gone =
			peer && (ready[i].events & ~(uint32_t)EPOLLOUT);
		if (events[i].has_gone) {
			peer_unwatch(peer);
			peer->has_ended = true;
		}
	}
	return count > 0 ? (size_t)count : 0;
}

/* Since when it counts as idle, which may be later than now. */
static uint64_t idle_since_ns(const struct peer *peer)
{
	const uint64_t *waits_ns = peer->peers->waits_ns;
	uint64_t since_ns = peer->due_ns - waits_ns[peer->wait];

	if (peer->wait == PEER_WHOLE)
		return since_ns + arriving_ns;
	return peer->wait == PEER_IDLE ? since_ns - waits_ns[PEER_NEXT]
	                               : since_ns;
}

/* The longest idle of these, one of each list or NULL; NULL if all are busy. */
static struct peer *longest_idle(struct peer *const heads[PEER_IDLE_END])
{
	uint64_t least_ns = clock_monotonic_ns();
	struct peer *longest = NULL;

	for (unsigned wait = 0; wait < PEER_IDLE_END; wait++) {
		if (!heads[wait] || idle_since_ns(heads[wait]) > least_ns)
			continue;
		longest = heads[wait];
		least_ns = idle_since_ns(longest);
	}
	return longest;
}

static void read_heads(const struct peers *peers,
                       struct peer *heads[PEER_IDLE_END])
{
	for (unsigned wait = 0; wait < PEER_IDLE_END; wait++)
		heads[wait] = TAILQ_FIRST(&peers->lists[wait]);
}

uint64_t peer_idle_since_ns(const struct peers *peers)
{
	struct peer *heads[PEER_IDLE_END];

	read_heads(peers, heads);
	const struct peer *longest = longest_idle(heads);
	return longest ? idle_since_ns(longest) : UINT64_MAX;
}

/*
 * Have bytes of its next request arrived that libmicrohttpd has not read yet?
 * Unread bytes of a request that takes too long to arrive do not count:
 * libmicrohttpd may never read them.
 */
static bool has_unread(const struct peer *peer)
{
	return peer->wait != PEER_WHOLE && peek(peer) > 0;
}

struct peer *peer_find_idle(const struct peers *peers)
{
	struct peer *heads[PEER_IDLE_END];

	read_heads(peers, heads);
	for (unsigned tries = 0; tries < TRIES_MAX; tries++) {
		struct peer *longest = longest_idle(heads);

		if (!longest || !has_unread(longest))
			return longest;
		heads[longest->wait] = TAILQ_NEXT(longest, in_list);
	}
	return NULL;
}

bool peer_is_dropped(const struct peer *peer)
{
	struct tcp_info info = { .tcpi_bytes_sent = 0 };
	socklen_t len = sizeof(info);

	if (peer->has_asked || peer->is_shut)
		return false;
	return !has_gone(peer) &&
	       getsockopt(peer->fd, IPPROTO_TCP, TCP_INFO, &info, &len) == 0 &&
	       info.tcpi_bytes_received > 0 && info.tcpi_bytes_sent == 0;
}

uint64_t peer_bytes_read(const struct peer *peer)
{
	struct tcp_info info = { .tcpi_bytes_received = 0 };
	socklen_t len = sizeof(info);
	int unread = 0;

	if (getsockopt(peer->fd, IPPROTO_TCP, TCP_INFO, &info, &len) != 0 ||
	    ioctl(peer->fd, FIONREAD, &unread) != 0)
		return 0;
	uint64_t others = peer->read_before + (uint64_t)unread;
	return info.tcpi_bytes_received > others
	               ? info.tcpi_bytes_received - others
	               : 0;
}

void peer_drain(const struct peer *peer)
{
	enum { PIECE = 16384, PIECES = 64 };
	char piece[PIECE];
	unsigned count = 0;

	while (count++ < PIECES &&
	       recv(peer->fd, piece, sizeof(piece), MSG_DONTWAIT) > 0)
		;
}

uint64_t peer_due_ns(const struct peers *peers)
{
	uint64_t due_ns = UINT64_MAX;

	for (unsigned wait = 0; wait < PEER_WAIT_COUNT; wait++) {
		const struct peer *peer = TAILQ_FIRST(&peers->lists[wait]);

		if (peer && peer->due_ns < due_ns)
			due_ns = peer->due_ns;
	}
	return due_ns;
}
