/*
 * peer.h - a client's connection: how long the server waits for its next bytes,
 * and whether the client is still there.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include "http/http.h"

struct MHD_Connection;
struct MHD_Daemon;
struct exchange;

enum peer_wait {
	PEER_FIRST, /* for the first request */
	PEER_WHOLE, /* for the rest of a request */
	PEER_NEXT,  /* for the next request, during the first second */
	PEER_IDLE,  /* for the next request, from then on */
	PEER_IDLE_END,
	PEER_UNREAD = PEER_IDLE_END, /* until it reads more of a stream */
	PEER_WAIT_COUNT,
	PEER_BUSY = PEER_WAIT_COUNT, /* the server makes or sends an answer */
};

struct peer {
	struct peers *peers;
	TAILQ_ENTRY(peer) in_list; /* in lists, or in given_back */
	enum peer_wait wait;
	uint64_t due_ns;
	struct MHD_Connection *connection;
	struct exchange *exchange; /* of the present request, or NULL */
	int fd;
	uint64_t read_before; /* bytes of the requests before the present one */
	uint8_t address[HTTP_ADDRESS_SIZE];
	bool is_counted; /* by on_connect */
	bool is_beyond;  /* the cap of its address */
	bool is_capped;  /* counted by the cap */
	bool is_watched;
	bool has_ended;   /* its end, or that of its half, was reported */
	bool wants_room;  /* it is watched for room to send, too */
	bool is_detached; /* the socket has gone to another peer */
	bool has_asked;   /* a request line has arrived */
	bool is_shut;     /* by the server; its requests are not served */
};

/* The connections of one server. */
struct peers {
	TAILQ_HEAD(peer_list, peer) lists[PEER_WAIT_COUNT]; /* by due_ns */
	struct peer_list given_back; /* without a connection yet */
	uint64_t waits_ns[PEER_WAIT_COUNT];
	int gone_fd; /* an epoll set; see peer_take_events() */
};

/*
 * Begin without any connection.  asked_fd, which is borrowed, makes gone_fd
 * readable too.
 */
void peer_init(struct peers *peers, uint64_t whole_ns, uint64_t idle_ns,
               int asked_fd);
void peer_fini(struct peers *peers);

/*
 * A new connection, which is waited for, and the end of one.  The caller makes
 * the peer libmicrohttpd's socket context.
 */
struct peer *peer_open(struct peers *peers, struct MHD_Connection *connection);
void peer_close(struct peer *peer);

/*
 * A peer without a connection of libmicrohttpd's, for a duplicate of the
 * socket; all that is counted of the peer goes with it.  NULL, with nothing
 * changed: there is no descriptor left.
 */
struct peer *peer_detach(struct peer *peer);

/*
 * Let the socket send each piece at once, and not only when the client has
 * acknowledged the one before.  libmicrohttpd does so too, but when it sends.
 */
void peer_send_at_once(const struct peer *peer);

/* Close the socket of such a peer, which is no longer watched then. */
void peer_close_socket(struct peer *peer);

/*
 * Give the socket of such a peer to libmicrohttpd, which begins a connection
 * for it, at once or in its next run (1.0); peer_take_back() then returns the
 * peer.  False: libmicrohttpd has closed the socket.
 */
MUST_CHECK bool peer_give_back(struct peer *peer, struct MHD_Daemon *daemon);

/* The peer of a connection that has just begun; NULL: it is a new client's. */
struct peer *peer_take_back(struct peers *peers,
                            struct MHD_Connection *connection);

/* The next peer that was given back in vain; NULL: there is none. */
struct peer *peer_find_lost(struct peers *peers);

/* The peer that is a connection's socket context. */
struct peer *peer_of(struct MHD_Connection *connection);

/* Wait from now on; an earlier wait is forgotten. */
void peer_wait_for(struct peer *peer, enum peer_wait wait);
void peer_stop_waiting(struct peer *peer);

/*
 * End a connection that libmicrohttpd has just begun; end any other (a detached
 * one is then reported as gone); end those
 * whose deadline has passed, and those whose client has gone between two
 * requests.
 */
void peer_shut(struct peer *peer);
void peer_end(struct peer *peer);
void peer_end_late(struct peers *peers);

/*
 * Notice when the client closes its connection, or its half.  The kernel may
 * have no room for that; then it goes unnoticed.
 */
void peer_watch(struct peer *peer);
void peer_unwatch(struct peer *peer);

/*
 * Notice also when the socket has room to send, or no longer; it may be that of
 * a client that has closed its half.  False: the kernel has no memory for that.
 */
MUST_CHECK bool peer_watch_room(struct peer *peer, bool wants_room);

/* A watched peer has gone, and is no longer watched; or it has room. */
struct peer_event {
	struct peer *peer; /* NULL: asked_fd is readable */
	bool has_gone;
};

/* Take the events that have come; returns how many. */
enum { PEER_EVENTS_MAX = 64 };
size_t peer_take_events(struct peers *peers,
                        struct peer_event events[PEER_EVENTS_MAX]);

/*
 * When the oldest idle connection became idle, by clock_monotonic_ns();
 * UINT64_MAX: no connection is idle.
 */
uint64_t peer_idle_since_ns(const struct peers *peers);

/*
 * The oldest idle connection, among those without unread bytes of a next
 * request; NULL if there is none.
 */
struct peer *peer_find_idle(const struct peers *peers);

/*
 * For a connection that libmicrohttpd is about to close: true if the client has
 * sent something, is still there, and got no answer.
 */
bool peer_is_dropped(const struct peer *peer);

/*
 * Bytes of the present request that libmicrohttpd has read, with those after
 * it; 0 if the kernel does not know.
 */
uint64_t peer_bytes_read(const struct peer *peer);

/* Read and drop what has arrived, up to a MiB. */
void peer_drain(const struct peer *peer);

/* When the next peer_end_late() is due; UINT64_MAX: never. */
uint64_t peer_due_ns(const struct peers *peers);
