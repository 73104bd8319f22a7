/*
 * peer.h - a client's connection, and how long we wait for its next word.
 *
 * libmicrohttpd's own timeout starts again with every byte, so each connection
 * that we wait for is also in one of three lists, by when its time is up.  A
 * connection whose answer is being made or sent is in neither.
 *
 * Private to this folder.
 */
#ifndef HTTP_PEER_H
#define HTTP_PEER_H

#include <stdbool.h>
#include <stdint.h>

#include "http/http.h"

struct MHD_Connection;
struct exchange;

enum peer_wait {
	PEER_FIRST, /* for the first request */
	PEER_WHOLE, /* for the rest of a request */
	PEER_IDLE,  /* for the next request */
	PEER_WAITS,
	PEER_BUSY = PEER_WAITS, /* we do not wait */
};

struct peer {
	struct peer *before;
	struct peer *after;
	enum peer_wait wait;
	uint64_t due_ns;
	struct MHD_Connection *connection;
	struct exchange *exchange; /* of the present request, or NULL */
	int fd;
	uint8_t address[HTTP_ADDRESS_SIZE];
	bool is_counted; /* by on_connect */
	bool is_capped;  /* counted by the cap */
	bool is_watched; /* by the server, for its end */
	bool has_asked;  /* a request line has come */
	bool is_shut;    /* ended by us; its requests are not served */
};

/* Those that we wait for; waits_ns says how long, the rest begins zeroed. */
struct peers {
	struct {
		struct peer *first; /* the first that is due */
		struct peer *last;
	} lists[PEER_WAITS];
	uint64_t waits_ns[PEER_WAITS];
};

/* A new one that is busy, and the end of one. */
struct peer *peer_open(struct MHD_Connection *connection, int fd);
void peer_close(struct peers *peers, struct peer *peer);

/* Wait from now on; what it was waited for before is forgotten. */
void peer_wait_for(struct peers *peers, struct peer *peer, enum peer_wait wait);
void peer_stop_waiting(struct peers *peers, struct peer *peer);

/*
 * End a connection that libmicrohttpd has just begun; end any connection; end
 * those whose time is up.
 */
void peer_shut(struct peers *peers, struct peer *peer);
void peer_end(struct peers *peers, struct peer *peer);
void peer_end_late(struct peers *peers);

/*
 * Since when the connection that is idle longest is idle, by
 * clock_monotonic_ns(); UINT64_MAX: none is.  A request that arrives is none at
 * first.
 */
uint64_t peer_idle_since_ns(const struct peers *peers);

/*
 * The one that is idle longest, but none whose next request has come and was
 * not read yet; NULL: there is none.
 */
struct peer *peer_find_idle(const struct peers *peers);

/*
 * Of a connection that libmicrohttpd is about to close: does it so though the
 * client is there, has sent something, and was answered nothing?
 */
bool peer_is_dropped(const struct peer *peer);

/* Until the next one is due; UINT64_MAX: never. */
uint64_t peer_timeout_ns(const struct peers *peers);

#endif
