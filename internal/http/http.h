/*
 * http.h - the HTTP side of the service: requests in, replies out.
 *
 * One server for each event loop.  It runs libmicrohttpd without a thread of
 * its own: the loop waits on http_server_fd() and calls http_server_run().
 * What is wrong with a request as HTTP is answered here, with problem
 * documents: path, method, sizes, media types.  (The names of a query and the
 * grammar of a body wait, since the token is judged before them.)
 * What is left is handed to the loop's function as a struct http_request, and
 * the connection sleeps until http_finish().
 *
 * A request belongs to the loop that received it and lives, with its arena,
 * until its reply was sent or the client went away after http_finish(); the
 * server never frees one that was handed out and not finished.
 */
#ifndef HTTP_HTTP_H
#define HTTP_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"

enum http_method { HTTP_GET, HTTP_POST, HTTP_DELETE, HTTP_METHOD_COUNT };

enum {
	HTTP_PARAMS_MAX = 4,
	HTTP_QUERIES_MAX = 8,
	HTTP_HEADERS_MAX = 16,
	HTTP_FAULTS_MAX = 16,
	HTTP_URI_MAX = 2048,      /* bytes of a request target */
	HTTP_FIELDS_MAX = 5120,   /* bytes of all header fields */
	HTTP_SWALLOW_MAX = 65536, /* bytes read of a body that is too large */
	HTTP_ADDRESS_SIZE = 16,
};

/*
 * A row of the route table.  A path is literal segments and {parameters},
 * each a whole segment.  Of two paths that match, the one with the literal
 * segment wins.
 */
struct http_route {
	enum http_method method;
	const char *path;
	size_t body_max;      /* bytes */
	const char *queries;  /* allowed query names, space between; "" */
	const char *produces; /* the media type of a 200, for Accept; or NULL */
	bool streams;         /* text/event-stream too */
	bool is_probe;        /* asked again and again: not each is logged */
};

struct http_slice {
	const char *text; /* not ended by a zero byte */
	size_t len;
};

struct http_query {
	const char *name;
	const char *value; /* percent-decoded, valid UTF-8 */
};

/* One thing that is wrong with the body, or with a query parameter. */
struct http_fault {
	const char *pointer;   /* "/name" (RFC 6901), or NULL */
	const char *parameter; /* "lang", or NULL */
	const char *header;    /* "Idempotency-Key", or NULL */
	const char *code;      /* "too_long" */
	const char *detail;    /* a sentence */
};

struct http_link {
	const char *name; /* of the member; NULL: there is none */
	const char *id;
	const char *href;
};

/* A member of an object: a word or a number; 0 without a word is null. */
struct http_member {
	const char *name;
	const char *word; /* NULL: the number */
	unsigned number;
};

struct http_header {
	const char *name;
	const char *value;
};

/* The answer; zero until somebody fills it in. */
struct http_reply {
	unsigned status;
	const char *type; /* media type; NULL without a body */
	const char *body; /* lives as long as the request */
	size_t body_len;
	struct http_header headers[HTTP_HEADERS_MAX];
	size_t headers_count;
};

struct http_request {
	const struct http_route *route; /* NULL: answered already */
	size_t route_index;             /* of that row */
	bool is_head;                   /* of a GET, without the body */
	const char *path;               /* without the query, as sent */
	struct http_slice params[HTTP_PARAMS_MAX]; /* as sent, in order */
	struct http_query queries[HTTP_QUERIES_MAX];
	size_t queries_count;

	/* Header fields, or NULL.  Several of a name are joined by ", ". */
	const char *accept_encoding;
	const char *accept_language;
	const char *authorization;
	const char *idempotency_key;
	const char *if_match;
	const char *if_none_match;

	const char *last_event_id;
	unsigned wait_s;   /* of Prefer; 0: an answer at once */
	bool wants_stream; /* text/event-stream, where there is one */

	/* The body as sent; to be read by way of body.h. */
	const char *body;
	size_t body_len;

	char id[37];       /* X-Request-Id: as sent, or drawn here */
	char trace_id[33]; /* of traceparent; "": there is none */
	uint8_t address[HTTP_ADDRESS_SIZE]; /* of who asks, to count them by */
	uint64_t received_ns;               /* clock_monotonic_ns() */
	struct arena arena;

	/* For a problem: what is wrong in detail.  See problem.h. */
	const char *detail;
	unsigned retry_s;          /* Retry-After, where there is one; 0: 1 s */
	struct http_fault *faults; /* in the arena; NULL: none so far */
	size_t faults_count;
	size_t faults_dropped; /* those for which there was no place */

	struct http_link link; /* to what the problem is about */

	const struct http_member
		*now; /* where the game stands; see problem.h */
	size_t now_count;

	const char *rate_policy; /* RateLimit-Policy, or NULL */
	const char *rate_left;   /* RateLimit, or NULL */

	enum err err; /* the refusal that was answered, for the log */
	struct http_reply reply;

	void *user;  /* the loop's own */
	void *inner; /* the server's own */
};

/*
 * Called when a path and a method have found their route, with req->route,
 * route_index and params: refuses parameters that can name nothing, before
 * anything else of the request is looked at.
 */
typedef enum err (*http_path_fn)(struct http_request *req, void *arg);

/*
 * Called with a request that is right as HTTP.  Must not wait.  Faults of the
 * query's names are in req->faults already, for ERR_INVALID.
 */
typedef void (*http_fn)(struct http_request *req, void *arg);

/*
 * Called for a request that is answered without on_request, because it is
 * refused as HTTP, or OPTIONS: counts it against its address.  An error is the
 * answer instead.  The route may be NULL.
 */
typedef enum err (*http_refused_fn)(struct http_request *req, void *arg);

/*
 * Called for a request that http_watch() was asked for, when its client has
 * closed the connection, or its own half of it.
 */
typedef void (*http_gone_fn)(struct http_request *req, void *arg);

/*
 * Called when somebody connects, who is no trusted proxy, with the address to
 * count them by; false ends the connection.  And when one that was not ended
 * so is closed.
 */
typedef bool (*http_connect_fn)(const uint8_t *address, void *arg);
typedef void (*http_disconnect_fn)(const uint8_t *address, void *arg);

/*
 * How many connections the servers of a process may have together.  When there
 * are as many, each new one ends the one that has been idle longest, by which
 * server it may be served: between two requests, or before the first.  A
 * request that has taken more than a second to arrive counts as idle from then
 * on; one that has arrived keeps its connection, with its stream or its wait.
 * When no connection is idle, the new one is ended itself.
 */
struct http_cap;

struct http_cap *http_cap_open(unsigned connections, unsigned servers);

/* When all its servers are closed.  NULL is fine. */
void http_cap_close(struct http_cap *cap);

/* So many connections may be open beyond the cap, for a moment. */
enum { HTTP_CAP_SPARE = 32, HTTP_CAP_SPARE_OF_SERVER = 32 };

struct http_config {
	int listen_fd;        /* bound and listening; taken over */
	struct http_cap *cap; /* borrowed, and shared by all servers */
	unsigned whole_ms;    /* for a request to arrive; 0: 10 s */
	unsigned idle_ms;     /* from an answer to the next request; 0: 60 s */
	const struct http_route *routes; /* borrowed for good */
	size_t routes_count;
	http_path_fn on_path; /* or NULL */
	http_fn on_request;
	http_refused_fn on_refused; /* or NULL */
	http_gone_fn on_gone;
	http_connect_fn on_connect; /* or NULL, and then both */
	http_disconnect_fn on_disconnect;
	void *arg;
	const char *cors_origins;    /* see cors.h; NULL or "": none */
	const char *trusted_proxies; /* see address.h; NULL or "": none */
};

struct http_server;

/* True if they can be read as http_config has them. */
MUST_CHECK bool http_origins_are_valid(const char *origins);
MUST_CHECK bool http_proxies_are_valid(const char *proxies);

/* NULL when libmicrohttpd cannot start (it has been logged). */
struct http_server *http_server_open(const struct http_config *config);

/* Readable when http_server_run() has something to do. */
int http_server_fd(const struct http_server *server);

/*
 * Readable when a client that is watched has gone, or another server asks this
 * one to end an idle connection.
 */
int http_server_gone_fd(const struct http_server *server);

/* Nanoseconds from now until http_server_run() is due; UINT64_MAX: never. */
uint64_t http_server_timeout_ns(const struct http_server *server);

/* Accept, read, call on_request, write: whatever can be done at once. */
void http_server_run(struct http_server *server);

/*
 * To end well: first let each answer close its connection, then accept no
 * more of them, then wait until no request is under way and close.
 */
void http_server_drain(struct http_server *server);
void http_server_quiesce(struct http_server *server);
bool http_server_idle(const struct http_server *server);

/* Every request handed out has been finished.  NULL is fine. */
void http_server_close(struct http_server *server);

/* Add a header field to the reply; both strings live as long as the request. */
void http_header(struct http_request *req, const char *name, const char *value);

/* Send req->reply.  May be called from inside on_request. */
void http_finish(struct http_request *req);

/*
 * Tell by on_gone when the client goes away while the request, which was
 * handed out, waits; until http_finish().
 */
void http_watch(struct http_request *req);

/*
 * A reply that goes on: begin it with the header fields of req->reply, whose
 * body does not count, and write to it whenever there is something.  The
 * request is handed out until http_finish(), which ends the stream behind what
 * was written.  The client is watched as by http_watch().
 *
 * Writing to a client that does not read says false: it has too much to be
 * read already.
 */
void http_stream_begin(struct http_request *req);
MUST_CHECK bool http_stream_write(struct http_request *req, const char *text,
                                  size_t len);

/* Bytes that were written and that libmicrohttpd has not taken yet. */
size_t http_stream_unread(const struct http_request *req);

/* The value of a query parameter, or NULL. */
const char *http_query(const struct http_request *req, const char *name);

/*
 * Bind and listen on "address:port" ("[::1]:8080", port 0 for a free one),
 * shared with the other loops' sockets; -1 with errno when it cannot be.
 * With exclusive, refuse a port that somebody else listens on already.
 */
int http_listen(const char *address, bool exclusive);

/*
 * How many bytes of an address name the site it is at: all of an IPv4 address,
 * and the first 48 bits of an IPv6 one, which is what a site is given.
 */
size_t http_site_size(const uint8_t address[HTTP_ADDRESS_SIZE]);

/* The "address:port" a socket listens on, into the arena. */
const char *http_listen_name(int fd, struct arena *arena);

/*
 * Is a strong entity-tag, quotes included, named by an If-Match field, or an
 * If-None-Match (then weak)?  "*" names every tag; a NULL list names none.
 */
bool http_etag_listed(const char *list, const char *etag, bool weak);

/*
 * What an If-Match field holds: only strong tags (or "*"), a weak one among
 * them, which matches nothing there, or something that is no list of tags.
 */
enum http_etags { HTTP_ETAGS_STRONG, HTTP_ETAGS_WEAK, HTTP_ETAGS_MALFORMED };
enum http_etags http_etags_read(const char *list);

/* The strong entity-tag, quotes included, of what is always these bytes. */
enum { HTTP_ETAG_SIZE = 35 };
void http_etag_print(const char *bytes, size_t len, char *etag);

#endif
