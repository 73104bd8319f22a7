/*
 * http.h - the HTTP side of the service: requests in, replies out.
 *
 * Each event loop has one server, which runs libmicrohttpd without a thread of
 * its own: the loop waits on http_server_fd() and calls http_server_run().  The
 * server itself refuses a request that is wrong as HTTP (path, method, sizes,
 * media types), with a problem document.  The names in a query and the grammar
 * of a body are left to the handler, which reads the token before them.  Any
 * other request is handed to on_request as a struct http_request.
 *
 * A request belongs to the loop that received it.  It lives, with its arena,
 * until its reply is sent, or until its client has gone after http_finish();
 * the server never frees a request between on_request and http_finish(), though
 * its connection may be gone by then.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"

enum http_method {
	HTTP_GET,
	HTTP_POST,
	HTTP_PUT,
	HTTP_PATCH,
	HTTP_DELETE,
	HTTP_METHOD_COUNT
};

/* Such as "GET"; static. */
const char *http_method_name(enum http_method method);

enum {
	HTTP_PARAMS_MAX = 4,
	HTTP_QUERIES_MAX = 8,
	HTTP_HEADERS_MAX = 16,
	HTTP_FAULTS_MAX = 16,
	HTTP_URI_MAX = 2048,     /* bytes of a request target */
	HTTP_FIELDS_MAX = 16384, /* bytes of all header fields */
	HTTP_FIELDS_COUNT_MAX = 100,
	HTTP_BODY_READ_MAX = 65536, /* bytes read of a body that is refused */
	HTTP_ADDRESS_SIZE = 16,
	HTTP_PREFIX_MAX = 64, /* bytes of X-Forwarded-Prefix */
	HTTP_RATES_MAX = 8,
};

/*
 * A {parameter} of paths.  A request whose text does not fit is refused before
 * anything else of it is validated.  The text is as it was sent: "%" in it is
 * not decoded.
 */
struct http_param {
	const char *name;
	/* True if the text fits; sets *value if the parameter is a number. */
	bool (*read)(const char *text, size_t len, unsigned *value);
	enum err refusal; /* of a text that does not fit */
};

/*
 * A row of the route table.  A path is literal segments and {parameters}, each
 * a whole segment; rows of one path spell it alike.  If two paths match, the
 * first one in the table is found.
 */
struct http_route {
	enum http_method method;
	const char *path;
	size_t body_max;      /* bytes */
	const char *queries;  /* allowed query names, space between; "" */
	const char *produces; /* the media type of a 200, for Accept; or NULL */
	bool streams;         /* text/event-stream too */
	bool is_probe;        /* requests are not logged one by one */
	const void *user;     /* the handler's own */

	/* The {parameters} of the path, in its order. */
	const struct http_param *params[HTTP_PARAMS_MAX];
};

struct http_slice {
	const char *text; /* not ended by a zero byte */
	size_t len;
};

struct http_query {
	const char *name;
	const char *value; /* percent-decoded, valid UTF-8 */
};

/* One thing that is wrong with the body, the query or a header field. */
struct http_fault {
	const char *in;     /* "pointer", "parameter" or "header" */
	const char *name;   /* "/name" (RFC 6901), "lang", "Idempotency-Key" */
	const char *code;   /* "too_long" */
	const char *detail; /* a sentence */
};

struct http_link {
	const char *name; /* of the member; NULL: no link */
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

/* The rest of a quota, for RateLimit; see quota/limiter.h. */
struct http_rate {
	const char *name; /* static */
	unsigned requests;
	unsigned window_s;
	unsigned left;
	unsigned full_s;
};

/* The answer; zeroed until a handler fills it in. */
struct http_reply {
	unsigned status;
	const char *type; /* media type; NULL without a body */
	const char *body; /* lives as long as the request */
	size_t body_len;
	struct http_header headers[HTTP_HEADERS_MAX];
	size_t headers_count;
};

struct http_request {
	const struct http_route *route; /* NULL: unknown path or method */
	bool is_head;                   /* of a GET, without the body */
	const char *path;               /* without the query, as sent */
	const char *prefix; /* of paths in the answer; NULL is as "" */
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
	unsigned wait_s;   /* Prefer: wait, in seconds; 0: answer at once */
	bool wants_stream; /* text/event-stream, and the route has it */

	/* The body as sent; body.h reads it. */
	const char *body;
	size_t body_len;

	char id[37];           /* X-Request-Id: as sent, or drawn here */
	char trace_id[33];     /* of traceparent; "" without one */
	char trace_parent[17]; /* the caller's span, if trace_id is there */
	uint8_t address[HTTP_ADDRESS_SIZE]; /* of the client, for quotas */
	uint64_t received_ns;               /* clock_monotonic_ns() */
	struct arena arena;

	/* For a problem document, see problem.h. */
	const char *detail;        /* NULL: the one of err.def */
	unsigned retry_s;          /* for Retry-After; 0: 1 s */
	struct http_fault *faults; /* in the arena; NULL: no fault so far */
	size_t faults_count;
	size_t faults_dropped; /* beyond HTTP_FAULTS_MAX */
	struct http_link link;
	const struct http_member *now; /* the present state of the game */
	size_t now_count;

	struct http_rate rates[HTTP_RATES_MAX]; /* that it counted against */
	size_t rates_count;

	enum err err; /* the refusal that was answered, for the log */
	struct http_reply reply;

	void *user;  /* the loop's own */
	void *inner; /* the server's own */
};

/*
 * Called with a request that is right as HTTP; must not block.  Unknown and
 * repeated names in the query are in req->faults already, for ERR_INVALID.
 */
typedef void (*http_fn)(struct http_request *req, void *arg);

/*
 * Called for an OPTIONS request, and for one that is refused as HTTP, neither
 * of which on_request gets: counts it against its address.  A returned error
 * replaces the answer.  The route may be NULL.
 */
typedef enum err (*http_refused_fn)(struct http_request *req, void *arg);

/*
 * Called when the client of a waiting request has closed the connection, or its
 * own half of it; see http_wait().
 */
typedef void (*http_gone_fn)(struct http_request *req, void *arg);

/*
 * Called when a client other than a trusted proxy connects, with the address
 * that it counts for.  False: the connection is closed, or on_beyond refuses
 * its first request.  http_disconnect_fn is called when a connection for which
 * it returned true is closed.
 */
typedef bool (*http_connect_fn)(const uint8_t *address, void *arg);
typedef void (*http_disconnect_fn)(const uint8_t *address, void *arg);

/*
 * The cap on the connections that the servers of a process have together.  At
 * the cap each new connection ends the one that has been idle longest
 * (README.md).
 */
struct http_cap;

struct http_cap *http_cap_open(unsigned connections, unsigned servers);

/* After all its servers are closed.  NULL is fine. */
void http_cap_close(struct http_cap *cap);

/* Connections that may be open beyond the cap, for a moment. */
enum { HTTP_CAP_SPARE = 32, HTTP_CAP_SPARE_OF_SERVER = 32 };

struct http_config {
	int listen_fd;        /* bound and listening; taken over */
	struct http_cap *cap; /* borrowed, and shared by all servers */
	unsigned whole_ms;    /* for a request to arrive; 0: 10 s */
	unsigned idle_ms;     /* from an answer to the next request; 0: 60 s */
	const struct http_route *routes; /* borrowed for good */
	size_t routes_count;
	http_fn on_request;
	http_refused_fn on_refused; /* or NULL */
	http_gone_fn on_gone;
	http_connect_fn on_connect; /* NULL: as the next two */
	http_disconnect_fn on_disconnect;
	http_refused_fn on_beyond;
	void *arg;
	const char *cors_origins; /* valid; NULL or "": no origins */
	const char
		*trusted_proxies; /* a valid list (base/network.h), or NULL */
};

struct http_server;

/*
 * True if cors_origins may be this: origins such as "https://a.example" with
 * blanks or commas between, or "*" for all.
 */
MUST_CHECK bool http_origins_are_valid(const char *origins);

/* NULL when libmicrohttpd cannot start (it has been logged). */
struct http_server *http_server_open(const struct http_config *config);

/* Readable when http_server_run() has something to do. */
int http_server_fd(const struct http_server *server);

/*
 * Readable when a watched client has gone, or when another server asks this one
 * to end an idle connection; then run the server.
 */
int http_server_gone_fd(const struct http_server *server);

/* Nanoseconds from now until http_server_run() is due; UINT64_MAX: never. */
uint64_t http_server_timeout_ns(const struct http_server *server);

/* Accept, read, call on_request and write, as far as nothing blocks. */
void http_server_run(struct http_server *server);

/*
 * Three steps to a graceful end: let each answer close its connection; accept
 * no more connections; wait until no request is open.  Then close.
 */
void http_server_drain(struct http_server *server);
void http_server_quiesce(struct http_server *server);
bool http_server_idle(const struct http_server *server);

/* The loop has finished every request.  NULL is fine. */
void http_server_close(struct http_server *server);

/*
 * A path of the service with the client's prefix: in the arena, or the path
 * itself without a prefix.
 */
const char *http_path(struct http_request *req, const char *path);

/* Add a header field to the reply; both strings live as long as the request. */
void http_header(struct http_request *req, const char *name, const char *value);

/* Send req->reply.  May be called from inside on_request. */
void http_finish(struct http_request *req);

/*
 * The reply will be long in coming: keep little of the connection until then,
 * and call on_gone when the client goes away, which may be at once.  Only for a
 * request with wait_s; a second call changes nothing.  Without memory in the
 * kernel the client is not watched.
 */
void http_wait(struct http_request *req);

/*
 * Begin a stream: a reply with the status and the header fields of req->reply,
 * whose body the loop writes piece by piece.  http_finish() ends the stream
 * after the bytes written.  The client is watched, as by http_wait().
 *
 * A write returns false if the client has left too much unread.
 */
void http_stream_begin(struct http_request *req);
MUST_CHECK bool http_stream_write(struct http_request *req, const char *text,
                                  size_t len);

/* Bytes that were written and that the socket has not taken yet. */
size_t http_stream_unread(const struct http_request *req);

/* The value of a query parameter, or NULL. */
const char *http_query(const struct http_request *req, const char *name);

/*
 * Bind and listen on "address:port" ("[::1]:8080", port 0 for a free one),
 * sharing the port with the other loops' sockets; -1 with errno on failure.
 * With exclusive, fail if any socket listens on that port already.
 */
int http_listen(const char *address, bool exclusive);

/* The same for a setting, exclusively; -1, with the reason on stderr. */
int http_listen_for(const char *variable, const char *address);

/*
 * How many bytes of an address name its site: all of an IPv4 address, and the
 * first 48 bits of an IPv6 one, the prefix that a site is given.
 */
size_t http_site_size(const uint8_t address[HTTP_ADDRESS_SIZE]);

/* The "address:port" a socket listens on, into the arena. */
const char *http_listen_name(int fd, struct arena *arena);

/*
 * True if the field lists the strong tag etag, with its quotes. weak: compare
 * weakly, as If-None-Match does. "*" lists every tag; NULL no tag.
 */
bool http_etag_listed(const char *list, const char *etag, bool weak);

/*
 * The content of an If-Match field: strong tags alone (or "*"), a weak tag
 * among them, which matches nothing there, or anything but a list of tags.
 */
enum http_etags { HTTP_ETAGS_STRONG, HTTP_ETAGS_WEAK, HTTP_ETAGS_MALFORMED };
enum http_etags http_etags_read(const char *list);

/* Print the strong entity-tag, quotes included, of these bytes. */
enum { HTTP_ETAG_SIZE = 35 };
void http_etag_print(const char *bytes, size_t len, char *etag);
