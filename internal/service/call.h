/*
 * call.h - one request on its way through the service.
 *
 * A route has a guard (who may call), a shape (what happens to the request: the
 * plans in loop/plan.c), a decoder and an encoder.  loop/ calls the functions
 * of this folder between statements: none of them waits, talks to the database
 * or builds an error reply.  They return an enum err.
 */
#pragma once

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
#include "http/body.h"
#include "http/http.h"
#include "store/store.h"
#include "table/action.h"
#include "table/table.h"

/*
 * The callers that a route lets in.  Up to GUARD_ANYONE the answer is the same
 * for every caller.
 */
enum guard {
	GUARD_PROBE,  /* anyone, as often as they like */
	GUARD_ANYONE, /* no token is read */
	GUARD_VIEWER, /* seated; or nobody, where spectators are allowed */
	GUARD_SEATED,
	GUARD_HOST,
	GUARD_INVITED, /* with the code, or to a public game */
};

enum shape {
	SHAPE_ANSWER,  /* needs no database */
	SHAPE_PING,    /* answers if the database is there */
	SHAPE_CREATE,  /* creates a game */
	SHAPE_READ,    /* reads a game */
	SHAPE_WAIT,    /* the same, and may wait until it changes */
	SHAPE_EVENTS,  /* reads a page of the event log, or streams it */
	SHAPE_LOBBY,   /* reads a page of the lobby */
	SHAPE_MOVE,    /* changes a game */
	SHAPE_REMATCH, /* creates the game that comes after another */
	SHAPE_LEAVE, /* frees a seat, or deletes a lobby's last player's game */
	SHAPE_DELETE,    /* deletes a game */
	SHAPE_LAST_SEEN, /* reads a game, and when its players were last seen */
	SHAPE_TICKET,    /* gives a stream ticket */
	SHAPE_TRANSFER,  /* gives a code for another device */
	SHAPE_CLAIM,     /* finds, or takes, the seat of such a code */
	SHAPE_PUSH,      /* adds or removes push subscriptions */
	SHAPE_COUNT,
};

/* The push subscription to add, or those of the caller to remove. */
struct push_subscription {
	const char *text;    /* to be stored (push/endpoint.h); NULL: remove */
	const char *service; /* of the text, likewise */
	bool is_one;         /* the one with the hash; false: remove all */
	uint8_t endpoint_hash[STORE_HASH_SIZE];
};

struct transfer;
struct call;
typedef enum err decode_fn(struct call *call);
typedef enum err encode_fn(struct call *call);

/* The columns of a routes.def that HTTP does not need. */
struct route {
	enum guard guard;
	enum shape shape;
	const struct ruleset *rules; /* NULL: any */
	uint8_t verb;                /* of the wanted action */
	decode_fn *decode;
	encode_fn *encode;
};

enum { CALL_ETAG_SIZE = 96, GAME_PARAMS_MAX = 4 };

/* The game that a rematch comes after, and what is committed to it. */
struct ended {
	const struct store_game *loaded;
	struct store_game next;
	struct store_move move;
};

/* The settings of the daemon that answers depend on. */
struct service_config {
	bool has_docs;          /* there is a page at /docs */
	bool has_table;         /* there is a page at / to play */
	const char *push_key;   /* the application server key, or "" */
	const char *push_hosts; /* allowed besides the known ones */
	bool has_webhook;       /* the operator has one */
};

/*
 * A request on its way.  Each stage fills in its own part and reads those of
 * the stages before it.  All of it lives in the request's arena.
 */
struct call {
	const struct service_config *config;
	struct http_request *req;
	const struct route *route;
	struct body *body; /* while it is decoded, where a route has one */

	/* The parts of the path. */
	struct {
		bool has_code;
		char code[INVITE_LEN + 1]; /* from the path or the body */
		unsigned seat;             /* 0: the caller's own */
		unsigned of_game[GAME_PARAMS_MAX]; /* service/game.h */
		const char *word; /* a file's name, or an error's code */
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
		bool is_replay;       /* done before: only the answer is due */
		struct uuid location; /* of the rematch it created; or none */
	} idempotency;

	/* The request, from its body, query and headers. */
	struct {
		struct action action;
		bool is_command; /* it came by .../actions */
		/* The hash of the token of a player who leaves. */
		uint8_t leaving_hash[TOKEN_HASH_SIZE];
		struct name name;   /* of a new or changed player, or NULLs */
		const char *avatar; /* likewise */
		bool keeps_avatar;  /* a changed player keeps the present one */
		struct token token; /* that a player gets; or "" */
		uint8_t bot_level;  /* 1 + an enum bot_level, of seated bots */
		unsigned bot_seat;  /* of a seated bot; 0: it has left */
		const char *rematch_mode; /* its code, or NULL */
		unsigned rematch_seats;   /* or 0 */
		struct store_page page;
		bool views; /* a stream has views, too, not only events */
		struct store_wanted lobby;
		struct ticket *ticket; /* that is given, or used up; or NULL */
		struct transfer *transfer;      /* that is given, or claimed */
		const char *client_reference;   /* of a new player, or NULL */
		struct push_subscription *push; /* of SHAPE_PUSH, or NULL */
		size_t language; /* its place in texts_languages() */
		void *decoded;   /* a decoder's own, for its encoder */
	} wanted;

	/* The game as loaded; after a commit, as committed. */
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

	/* The state of a stream (events.c), and why it ends (closing.h). */
	struct {
		uint32_t viewed; /* version of the last view, or 0 */
		unsigned seat;   /* the caller's, then; 0: a spectator */
		uint32_t version;
		bool is_lobby;
		char code[INVITE_LEN + 1]; /* the game's, then */
		unsigned closing;          /* an enum closing */
	} stream;

	/* The decision, ready to be committed. */
	struct {
		struct store_game *next; /* NULL in a request that reads */
		struct store_event *events;
		struct store_move move;
		struct ended *ended; /* NULL: no rematch is decided */
		int64_t given_us;    /* when a ticket or transfer was given */
		unsigned conflicts;  /* earlier decisions of this request */
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
		bool has_waited; /* the request is, or was, a waiter */
	} reply;

	/* The counters that have the request in them; quotas.c's own. */
	struct {
		unsigned creating; /* 0: it does not count */
		unsigned creating_at_site;
		bool counts_as_waiting;
		bool counts_as_change;
	} quota;
};
