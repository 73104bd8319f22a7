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

struct call {
	struct http_request *req;
	const struct route *route;

	/* From the path. */
	struct uuid game_id;
	char game_text[UUID_TEXT_LEN + 1];
	bool has_code;
	char code[INVITE_LEN + 1]; /* from the path or the body */
	unsigned of_seat;          /* 0: the caller's own */
	unsigned color;
	unsigned stars;
	unsigned number;
	const char *word;

	/* From the header: who calls. */
	bool has_token;
	uint8_t token_hash[TOKEN_HASH_SIZE];

	/* From the header: what the request is known by, if it is. */
	bool has_key;
	struct key key;
	uint8_t request_hash[KEY_HASH_SIZE];

	/* It was carried out before: nothing is done but the answer. */
	bool is_replay;
	struct uuid follow; /* of that game, if it is another than loaded */

	/* From the body, the query or the header: what is wanted. */
	struct action action;
	uint8_t leaving_hash[TOKEN_HASH_SIZE]; /* of who is to leave */
	struct name name;                      /* of who creates or joins */
	struct token new_token;                /* and the token that they get */
	const char *rematch_mode;              /* the code of one, or NULL */
	unsigned rematch_seats;                /* or 0 */
	struct store_page page;
	struct store_wanted wanted;
	struct ticket *ticket; /* that is given, or used up; or NULL */
	int64_t ticket_us;     /* when it was given */
	size_t language;       /* its place in texts_languages() */
	void *decoded;         /* a decoder's own, for its encoder */

	/* The game: as it was loaded, and then as it is to be. */
	const struct store_game *loaded;
	struct table table;
	unsigned seat; /* the caller's; 0 for a spectator */
	char etag[CALL_ETAG_SIZE];
	const char
		*cache; /* Cache-Control beside it; NULL: as the guard has it */
	const char *vary; /* likewise Vary */
	int64_t updated_us;

	/* What was decided, ready to be kept. */
	struct store_game next;
	struct store_event *events;
	struct store_move move;

	struct ended *ended; /* of a rematch; NULL before it is decided */

	/* When its players were heard of; NULL: not asked. */
	const struct store_last_seen *presence;
	size_t presence_count;

	/* A page of the log, or of the lobby. */
	const struct store_event *page_events;
	const struct store_listed *listed;
	size_t page_count;
	bool page_more;
	struct uuid page_next; /* of the lobby; none: there is no more */

	uint64_t stalled_ns; /* the driver's, when the request came */
	void *waiting; /* the driver's waiter; NULL: the answer comes at once */

	bool has_docs; /* is there a page at /docs? */

	/* limited.c's own. */
	unsigned creating; /* 0: it does not count */
	unsigned creating_at_site;
	bool counts_as_waiting;
	bool counts_as_change;
	struct lists *lists; /* what the answer says of quotas; or NULL */

	/* The driver's own. */
	void *driver;
	bool is_streaming;
	bool is_behind; /* does not read what is streamed, or has gone */
	bool is_paused; /* has enough to read for now */
	unsigned tries;
	struct arena_mark begun; /* what is decided anew is taken from here */
	enum err refusal;        /* what call_authorize() answered */
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
