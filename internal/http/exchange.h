/*
 * exchange.h - a request with what the server itself keeps about it.
 *
 * Private to this folder.  An exchange is taken from the server's pool when
 * the request line has come and goes back when the answer is sent or the
 * connection is lost, so a connection that idles holds none.
 */
#ifndef HTTP_EXCHANGE_H
#define HTTP_EXCHANGE_H

#include <stdbool.h>
#include <stddef.h>

#include "http/http.h"
#include "http/router.h"

struct MHD_Connection;
struct http_server;

/* Methods that HTTP knows; VERB_COUNT stands for any other word. */
enum http_verb {
	VERB_GET,
	VERB_HEAD,
	VERB_POST,
	VERB_DELETE,
	VERB_OPTIONS,
	VERB_PUT,
	VERB_PATCH,
	VERB_TRACE,
	VERB_COUNT
};

/* The header fields that are looked at. */
enum field {
	FIELD_ACCEPT,
	FIELD_ACCEPT_ENCODING,
	FIELD_ACCEPT_LANGUAGE,
	FIELD_ACCESS_CONTROL_REQUEST_METHOD,
	FIELD_AUTHORIZATION,
	FIELD_CONTENT_LENGTH,
	FIELD_CONTENT_TYPE,
	FIELD_EXPECT,
	FIELD_HOST,
	FIELD_IDEMPOTENCY_KEY,
	FIELD_IF_MATCH,
	FIELD_IF_NONE_MATCH,
	FIELD_LAST_EVENT_ID,
	FIELD_ORIGIN,
	FIELD_PREFER,
	FIELD_TRACEPARENT,
	FIELD_TRANSFER_ENCODING,
	FIELD_X_FORWARDED_FOR,
	FIELD_X_REQUEST_ID,
	FIELD_COUNT
};

struct fields {
	const char *values[FIELD_COUNT]; /* NULL if absent */
	unsigned counts[FIELD_COUNT];    /* how many lines it had */
	size_t size;                     /* bytes of all fields */
	bool malformed;   /* one has a byte that no field may have */
	bool has_gap;     /* libmicrohttpd has overlooked a piece */
	const char *next; /* where the next one must begin */
};

enum http_phase {
	PHASE_HEAD,     /* the request line is there */
	PHASE_BODY,     /* the header was judged, the body comes */
	PHASE_HANDED,   /* the loop's, until http_finish() */
	PHASE_STREAM,   /* the loop's too: a stream is to begin */
	PHASE_FLOWING,  /* libmicrohttpd has the stream, the loop writes */
	PHASE_FINISHED, /* the reply is there */
	PHASE_ANSWERED  /* libmicrohttpd has it */
};

/* What was written to a stream and is not sent yet. */
struct stream {
	char *bytes;
	size_t size;
	size_t start;
	size_t end;
	bool is_over; /* nothing more will be written */
};

struct exchange {
	struct http_request req;
	struct http_server *server;
	const struct http_config *config; /* the server's */
	struct MHD_Connection *connection;
	struct exchange *next_free;
	enum http_phase phase;
	bool suspended; /* libmicrohttpd waits for a resume */
	bool orphaned;  /* the connection is gone, the loop does not know */
	struct stream stream;

	const char *sent_target; /* where libmicrohttpd has it */
	size_t sent_len;
	char *target; /* as sent, cut at HTTP_URI_MAX */
	bool target_cut;
	enum http_verb verb;
	bool is_old; /* HTTP/1.0 */
	struct fields fields;

	enum err refusal;   /* what is wrong; told once the body is over */
	bool must_close;    /* the connection cannot be trusted any more */
	bool is_last;       /* nothing behind it is read */
	bool answered_here; /* the loop does not know of it */
	size_t announced;   /* Content-Length, or 0 */
	size_t body_room;   /* bytes that body holds */
	char *body;
	size_t swallowed; /* bytes of the body that came */
};

/* Read the header fields; both strings are libmicrohttpd's own, in place. */
void validate_target(struct exchange *exchange, const char *method,
                     const char *version);

/*
 * Then judge the request line and the fields: fill in what http.h promises and
 * exchange->refusal.
 */
void validate_head(struct exchange *exchange, const struct router *router,
                   const char *method, const char *version);

/* Judge what is known only when the body is over. */
void validate_body(struct exchange *exchange);

/* "GET"; "-" for a method that is not known. */
const char *verb_name(enum http_verb verb);

#endif
