/*
 * exchange.h - a request with its reply, and the server's own data about it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/queue.h>

#include "http/fields.h"
#include "http/http.h"
#include "http/output.h"

struct MHD_Connection;
struct peer;

/* The methods that HTTP knows; METHOD_OTHER is any other word. */
enum exchange_method {
	METHOD_GET,
	METHOD_HEAD,
	METHOD_POST,
	METHOD_DELETE,
	METHOD_OPTIONS,
	METHOD_PUT,
	METHOD_PATCH,
	METHOD_TRACE,
	METHOD_OTHER
};

enum exchange_phase {
	EXCHANGE_HEAD,     /* the request line has arrived */
	EXCHANGE_BODY,     /* the header is validated, the body arrives */
	EXCHANGE_HANDED,   /* the loop has it, until http_finish() */
	EXCHANGE_LEAVING,  /* the same, but libmicrohttpd is to give it up */
	EXCHANGE_DETACHED, /* the same, with a socket of its own */
	EXCHANGE_FINISHED, /* the reply is complete */
	EXCHANGE_ANSWERED  /* the reply is being sent */
};

TAILQ_HEAD(exchange_list, exchange);

/* Shared by the exchanges of one server; see exchange_init_pool(). */
struct exchange_pool {
	const struct http_config *config;
	struct exchange *free; /* for later requests */
	size_t free_count;
	size_t open_count;
	struct exchange_list detached; /* with sockets of their own */
	struct exchange_list written;  /* of those: to be sent, or ended */
	unsigned held_count;
	bool is_draining; /* each answer closes its connection */
	bool was_called;  /* by libmicrohttpd, in the present run */
	bool has_output;  /* for the next run of libmicrohttpd */
	bool has_resumed; /* a connection; MHD_get_timeout() does not say so */
};

struct exchange {
	struct http_request req;
	struct exchange_pool *pool;
	struct MHD_Connection *connection;
	struct peer *peer;          /* its connection; NULL when orphaned */
	struct exchange *next_free; /* in the pool */
	enum exchange_phase phase;
	bool is_held;      /* libmicrohttpd asks for the reply in each run */
	bool is_suspended; /* libmicrohttpd waits for a resume */
	bool is_orphaned;  /* the connection is gone, the loop still has it */
	bool has_left;     /* the client went away while it was watched */

	/* Once the exchange is leaving libmicrohttpd. */
	struct output output;
	bool is_stream;
	bool is_over;    /* the loop has finished it */
	bool has_end;    /* the last bytes are in the output */
	bool is_written; /* it is in the list of those to be sent */
	TAILQ_ENTRY(exchange) in_detached;
	TAILQ_ENTRY(exchange) in_written;

	struct http_slice sent_target; /* libmicrohttpd's own string */
	char *target;                  /* as sent, cut at HTTP_URI_MAX */
	enum exchange_method sent_method;
	const char *method; /* its name; "-" if it is unknown */
	bool is_old;        /* HTTP/1.0 */
	struct fields fields;

	enum err refusal;   /* answered when the body is over */
	bool must_close;    /* unclear where the next request begins */
	bool is_last;       /* nothing after this request is read */
	bool answered_here; /* by the server, without the loop */
	size_t announced;   /* Content-Length, or 0 */
	size_t body_room;   /* bytes that body holds */
	char *body;
	size_t body_len; /* bytes of the body that have arrived */
};

/* Begin a pool; the config is borrowed. */
void exchange_init_pool(struct exchange_pool *pool,
                        const struct http_config *config);

/*
 * Begin the exchange of a request line; the target is libmicrohttpd's own
 * string, or NULL.
 */
struct exchange *exchange_open(struct exchange_pool *pool, struct peer *peer,
                               const char *target);

/* Give an exchange back to its pool, with all that its arena holds. */
void exchange_close(struct exchange *exchange);

/*
 * The reply is sent, or the connection is lost: close the exchange, or make it
 * an orphan if the loop still has it.
 */
void exchange_end(struct exchange *exchange);

/* Free the exchanges in the pool; no exchange may be open. */
void exchange_free_pool(struct exchange_pool *pool);

/* Store a piece of the body; false if more arrives than is ever read. */
MUST_CHECK bool exchange_add_body(struct exchange *exchange, const char *piece,
                                  size_t len);

/* Hand the exchange to the loop; see README.md for held connections. */
void exchange_hand(struct exchange *exchange);

/*
 * Let libmicrohttpd give up the connection, and call on_gone when the client
 * goes away.
 */
void exchange_leave(struct exchange *exchange);

/* A detached exchange has something to send, or has ended. */
void exchange_note_written(struct exchange *exchange);

/*
 * Let a connection wait for http_finish(): suspend it, unless it has been held
 * for a short time only.
 */
void exchange_wait(struct exchange *exchange);

/* Let libmicrohttpd leave a connection alone until exchange_resume(). */
void exchange_suspend(struct exchange *exchange);
void exchange_resume(struct exchange *exchange);
