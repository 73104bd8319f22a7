/*
 * call.h - one request on its way: decode, load, decide, keep, encode.
 *
 * The driver (loop/driver.h) goes through the stages that the route's shape
 * names and does all that waits; the functions here and the handlers of the
 * routes are what it calls in between.  None of them waits, talks to the
 * database or builds an error reply: they return an enum err.
 *
 *   ANSWER  decode, encode
 *   PING    decode, is the database there?, encode
 *   CREATE  decode, decide, keep, encode
 *   READ    decode, load, encode
 *   WATCH   as READ; a client that knows the answer may wait for the next
 *   EVENTS  decode, load, page of events, encode
 *   LOBBY   decode, page of games, encode
 *   MOVE    decode, load, decide, keep, encode; from load again when another
 *           move came first
 *   REMATCH as MOVE, and the answer is about the game that it creates
 *   LEAVE   as MOVE; or as DELETE when nobody would be left in a lobby
 *   LAST_SEEN decode, load, when the players were heard of, encode; it changes
 *           without a version
 *   TICKET  decode, load, keep a ticket, encode
 *   DELETE  decode, load, delete, encode
 *
 * A route with a {code} finds the game that it invites to before it loads.
 */
#ifndef SERVICE_CALL_H
#define SERVICE_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "auth/invite.h"
#include "auth/key.h"
#include "auth/name.h"
#include "auth/ticket.h"
#include "auth/token.h"
#include "base/arena.h"
#include "base/err.h"
#include "base/uuid.h"
#include "http/http.h"
#include "store/store.h"
#include "table/action.h"
#include "table/table.h"

/* What is the same for everybody comes first, up to GUARD_ANYONE. */
enum guard {
	GUARD_PROBE,  /* anyone, as often as they like */
	GUARD_ANYONE, /* no token is looked at */
	GUARD_VIEWER, /* seated; or nobody, where spectators are allowed */
	GUARD_SEATED,
	GUARD_HOST,
	GUARD_INVITED, /* with the code, or to a public game */
};

enum shape {
	SHAPE_ANSWER,
	SHAPE_PING,
	SHAPE_CREATE,
	SHAPE_READ,
	SHAPE_WATCH,
	SHAPE_EVENTS,
	SHAPE_LOBBY,
	SHAPE_MOVE,
	SHAPE_REMATCH,
	SHAPE_LEAVE,
	SHAPE_DELETE,
	SHAPE_LAST_SEEN,
	SHAPE_TICKET,
};

struct call;
typedef enum err decode_fn(struct call *call);
typedef enum err encode_fn(struct call *call);

/* What a row of routes.def says beyond its struct http_route. */
struct route {
	enum guard guard;
	enum shape shape;
	const struct ruleset *rules; /* NULL: any */
	decode_fn *decode;
	encode_fn *encode;
};

enum { CALL_ETAG_SIZE = 64 };

/* The game that a rematch comes after, and what is kept of it. */
struct ended {
	const struct store_game *loaded;
	struct store_game next;
	struct store_move move;
};

/*
 * A request on its way.  Each stage fills in its own part and reads those of
 * the stages before it.  All of it lives in the request's arena.
 */
struct call {
	struct http_request *req;
	const struct route *route;

	/* The parts of the path. */
	struct {
		bool has_code;
		char code[INVITE_LEN + 1]; /* from the path or the body */
		unsigned seat;             /* 0: the caller's own */
		unsigned color;
		unsigned stars;
		unsigned number;
		const char *word;
	} path;

	/* From the header: who calls. */
	struct {
		bool has_token;
		uint8_t token_hash[TOKEN_HASH_SIZE];
		unsigned seat; /* once the game is loaded; 0: a spectator */
	} caller;

	/* From the header: the Idempotency-Key, and what was done under it. */
	struct {
		bool has_key;
		struct key key;
		uint8_t request_hash[KEY_HASH_SIZE];
		bool is_replay;     /* done before: only the answer is due */
		struct uuid follow; /* the answer is about that game; or none */
	} idempotency;

	/* From the body, the query or a header: what the caller wants. */
	struct {
		struct action action;
		uint8_t leaving_hash[TOKEN_HASH_SIZE]; /* the leaving player's
		                                        */
		struct name name;   /* of the player who creates or joins */
		struct token token; /* that this player gets */
		const char *rematch_mode; /* its code, or NULL */
		unsigned rematch_seats;   /* or 0 */
		struct store_page page;
		struct store_wanted lobby;
		struct ticket *ticket; /* that is given, or used up; or NULL */
		size_t language;       /* its place in texts_languages() */
		void *decoded;         /* a decoder's own, for its encoder */
	} wanted;

	/* The game: as it was loaded, and after the commit as it is then. */
	struct {
		struct uuid id;
		char text[UUID_TEXT_LEN + 1];
		const struct store_game *loaded;
		struct table table;
		int64_t updated_us;
		char etag[CALL_ETAG_SIZE];
		/* When players were last seen; NULL: not loaded. */
		const struct store_last_seen *last_seen;
		size_t last_seen_count;
	} game;

	/* What was decided, ready to be committed. */
	struct {
		struct store_game next;
		struct store_event *events;
		struct store_move move;
		struct ended
			*ended;    /* of a rematch; NULL before it is decided */
		int64_t ticket_us; /* when the ticket was given */
	} decided;

	/* A page of the event log, or of the lobby. */
	struct {
		const struct store_event *events;
		const struct store_listed *games;
		size_t count;
		bool more;
		struct uuid next; /* of the lobby; none: the last page */
	} page;

	/* Header fields of the reply other than the guard's; NULL: those. */
	struct {
		const char *cache; /* Cache-Control */
		const char *vary;
	} reply;

	/* What the request counts for; quotas.c's own. */
	struct {
		unsigned creating; /* 0: it does not count */
		unsigned creating_at_site;
		bool counts_as_waiting;
		bool counts_as_change;
		struct lists
			*lists; /* what the answer says of quotas; or NULL */
	} quota;

	/* How far it is; the driver's own. */
	struct {
		void *driver;
		void *waiter;        /* NULL: the answer comes at once */
		uint64_t stalled_ns; /* the driver's, when the request came */
		bool has_docs;       /* is there a page at /docs? */
		bool is_streaming;
		bool is_behind; /* does not read what is streamed, or has gone
		                 */
		bool is_paused; /* has enough to read for now */
		unsigned tries;
		struct arena_mark begun; /* each try begins from here */
		enum err refusal;        /* what call_authorize() answered */
	} run;
};

/* The route table, for http; and what belongs to one of its rows. */
const struct http_route *call_http_routes(size_t *count);
const struct route *call_route(size_t index);

/*
 * Begin a call when its route is known: read the path.  What a path cannot
 * name is refused before anything else.
 */
MUST_CHECK enum err call_open(struct call *call, struct http_request *req);

/* Read the token of the request, which is whole now, if one is wanted. */
MUST_CHECK enum err call_read_token(struct call *call);

/* Then its body and its query. */
MUST_CHECK enum err call_begin(struct call *call);

/*
 * Take in the loaded game, or NULL when there is none: who calls, may they,
 * and is the game as If-Match and If-None-Match want it?  Somebody outside
 * learns the same of a private game as of none.
 */
MUST_CHECK enum err call_authorize(struct call *call,
                                   const struct store_game *game);

/* What is said of a ticket that opens nothing: ERR_INVALID_TOKEN. */
MUST_CHECK enum err call_refuse_ticket(struct call *call);

/*
 * Make call->table of a loaded game; ERR_INTERNAL, and a line in the log, if
 * it is damaged.  Part of call_authorize().
 */
MUST_CHECK enum err call_open_table(struct call *call,
                                    const struct store_game *game);

/* The seat of a token's hash, from 1; 0: none of those that are taken. */
unsigned call_seat_of(const struct store_game *game,
                      const uint8_t hash[TOKEN_HASH_SIZE]);

/* True if the caller has seen this version (If-None-Match): send a 304. */
bool call_is_known(const struct call *call);

/* The view of the caller's seat, in the arena. */
const void *call_view(struct call *call);

/* The version as it is after what was decided: view, etag. */
void call_committed(struct call *call, int64_t at_us);

/* The 304 of one who has waited in vain. */
void call_encode_waited(struct call *call);

/* Make the reply. */
MUST_CHECK enum err call_encode(struct call *call);
void call_encode_known(struct call *call); /* the 304 */

#endif
