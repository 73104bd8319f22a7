/*
 * records.h - the values that go into the database and come out of it: games,
 * seats, events, and the answer to a statement.
 *
 * Plain values.  Pointers in them are borrowed, or live in the arena that a
 * statement was given.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/uuid.h"

enum store_result {
	STORE_OK,
	STORE_NONE,        /* there is no such row */
	STORE_CONFLICT,    /* the game's version has changed */
	STORE_TAKEN,       /* the invitation code, or the key, is in use */
	STORE_UNAVAILABLE, /* not now; a write may or may not have happened */
	STORE_REFUSED,     /* not now, by the server: nothing has changed */
	STORE_HELD,   /* not now, not sent: nothing has changed (commits.h) */
	STORE_BROKEN, /* the statement was refused, or a row damaged: logged */
};

enum {
	STORE_SEATS_MAX = 6,
	STORE_BOT_LEVELS = 3,
	STORE_HASH_SIZE = 32,
	STORE_ADDRESS_SIZE = 16,
	STORE_CODE_LEN = 8,
	STORE_EVENTS_MAX = 32,       /* in one move */
	STORE_PAGE_MAX = 500,        /* events in one answer */
	STORE_LISTED_MAX = 100,      /* games in one answer */
	STORE_LAST_SEEN_MAX = 1024,  /* callers in one update */
	STORE_LAST_SEEN_STEP_S = 10, /* as in update_last_seen.sql */
	STORE_TICKET_S = 30,    /* as in use_ticket.sql and give_ticket.sql */
	STORE_TRANSFER_S = 600, /* as find_, claim_ and purge_transfers.sql */
	STORE_QUEUE_MAX = 4096, /* statements, queued and sent, in all */
	STORE_REFERENCE_MAX = 512,     /* bytes of a client_reference */
	STORE_ENDPOINT_MAX = 2048,     /* bytes of a push subscription */
	STORE_SUBSCRIPTIONS_MAX = 5,   /* of a seat */
	STORE_NOTIFICATIONS_MAX = 384, /* taken, or settled, at a time */
	STORE_REPORT_MAX = 1024,       /* games in one report */
	STORE_REPORT_GONE = INT32_MAX, /* as a version: it was deleted */
	STORE_SERVICES_MAX = 256,      /* push services in use at a time */
};

struct store_seat {
	const char *name;   /* NULL: the seat is vacant */
	const char *avatar; /* NULL: none */
	uint8_t token_hash[STORE_HASH_SIZE];
	bool is_stale;     /* last seen more than half of absence_s ago */
	uint8_t bot_level; /* 1..STORE_BOT_LEVELS; 0: a person has the seat */
};

/* The idempotency key of a change, which is made once under it. */
struct store_key {
	const uint8_t *hash;    /* STORE_HASH_SIZE bytes; NULL: no key */
	const uint8_t *request; /* the hash of the request, likewise */
	struct uuid location;   /* the game that a rematch created; or none */
	const uint8_t *sealed;  /* the token of the answer, sealed; or NULL */
	size_t sealed_len;
};

/* A game as it is stored. */
struct store_game {
	struct uuid id;
	uint32_t version;
	uint8_t ruleset;
	uint8_t rules_version;
	const char *mode;   /* for the lobby; NULL if the game has none */
	const char *status; /* for the lobby */
	bool is_public;
	bool spectators;
	uint32_t absence_s; /* after which a player is absent; 0: never */
	uint8_t seats_max;
	uint8_t seats_count;
	uint8_t host;
	const char *invite_code;
	const uint8_t *state;
	size_t state_len;
	int64_t created_us; /* microseconds since 1970 */
	int64_t updated_us;
	const uint8_t *creator_address; /* of a new one: the address, or NULL */
	struct uuid rematch;            /* its rematch, or none */
	struct uuid rematch_of; /* the game whose rematch it is, or none */
	uint8_t push_seats;     /* bit n: seat n asks for notifications */
	uint32_t revision; /* from 1: counts changes of seats, push_seats */
	const uint8_t *recent_keys; /* auth/recent_keys.h has their form */
	size_t recent_keys_len;     /* 0: none */
	struct store_seat seats[STORE_SEATS_MAX]; /* seat 1 is [0] */
	struct store_key key; /* the change made under the key, or hash NULL */
};

/* One event; the parts are NULL where there is nothing. */
struct store_event {
	uint32_t version;
	int64_t at_us; /* the database's; ignored when writing */
	uint8_t type;
	uint8_t seat;
	uint8_t part;
	uint8_t subpart;
	const uint8_t *public_data;
	size_t public_len;
	const uint8_t *private_data;
	size_t private_len;
	const uint8_t *replay_data; /* of the first event of an action */
	size_t replay_len;
};

/* A player takes a seat; of a bot, no token has the hash. */
struct store_join {
	uint8_t seat; /* 0: no player does */
	const char *name;
	const char *name_key; /* folded, to be unique in the game */
	const char *avatar;   /* NULL: none */
	const uint8_t *token_hash;
	uint8_t bot_level;            /* 0: a person */
	const char *client_reference; /* NULL: none */
};

/* A player gets another name or avatar. */
struct store_change {
	uint8_t seat;     /* 0: no player does */
	const char *name; /* NULL: the same as before */
	const char *name_key;
	const char *avatar; /* from now on; NULL: none */
};

/* A player gets another token. */
struct store_renewal {
	uint8_t seat; /* 0: no player does */
	const uint8_t *token_hash;
};

/* A player leaves; with renews_code the game's invite_code is a new one. */
struct store_leave {
	uint8_t seat;
	bool closes_up; /* the seats after it move up by one */
	bool renews_code;
	int64_t last_seen_us; /* of a player removed as absent; else 0 */
};

/*
 * The notifications of a move: seats[i] gets codes[i], an enum push_code.
 * The table no longer waits for the seats in done[]: their notifications that
 * it does are deleted, if not sent yet.
 */
struct store_notices {
	bool for_webhook; /* the operator's webhook gets them, too */
	uint8_t count;
	uint8_t seats[STORE_SEATS_MAX];
	uint8_t codes[STORE_SEATS_MAX];
	uint8_t done_count;
	uint8_t done[STORE_SEATS_MAX];
};

/*
 * A decided move: the new version, status, seats and state in game, and the
 * events that lead there, one for each version since the one that was loaded.
 */
struct store_move {
	const struct store_game *game;
	const struct store_event *events;
	size_t events_count;
	struct store_join join;
	const struct store_join *bots; /* that join at once, or NULL */
	size_t bots_count;
	struct store_change change;
	struct store_renewal renewal;
	struct store_leave leave;
	struct store_notices notices;
	uint32_t revision;    /* that the game must have; 0: any */
	bool has_recent_key;  /* game->recent_keys are new */
	struct store_key key; /* with its own row: of a change of seats */
};

/* When a player was last seen, rounded down to STORE_LAST_SEEN_STEP_S. */
struct store_last_seen {
	uint8_t seat;
	int64_t last_seen_us;
	int64_t now_us; /* the database's, the same in all */
};

/* The caller of a request: the player with this token in this game. */
struct store_caller {
	struct uuid game;
	uint8_t token_hash[STORE_HASH_SIZE];
	uint32_t version; /* that the player is sent; 0: does not count */
	uint8_t is_waiting_host; /* 1: of a public game in the lobby; or 0 */
};

/* A game as the lobby lists it. */
struct store_listed {
	struct uuid id;
	uint8_t ruleset;
	const char *mode; /* NULL if it has none */
	bool spectators;
	uint8_t seats_max;
	uint8_t seats_count;
	int64_t created_us;
	const uint8_t *state; /* the ruleset's bytes, as of a store_game */
	size_t state_len;
	const char *host; /* the host's name; NULL: the seat is vacant */
};

/* How many public games wait for players, by who created them. */
struct store_waiting {
	uint32_t of_address;
	uint32_t of_site; /* 48 bits of IPv6; 0 for IPv4 */
};

/* How many games of a ruleset have a status, "lobby" or "playing". */
struct store_count {
	uint8_t ruleset;
	const char *status;
	uint32_t games;
};

/*
 * The version of a game: the one that a caller has seen, or the one that the
 * game has; UINT32_MAX for a game that is gone.
 */
struct store_version {
	struct uuid id;
	uint32_t version;
};

/* A part of what another process has reported. */
struct store_report {
	struct uuid process;
	uint32_t number;           /* of the report, among its process's */
	struct store_version game; /* version 0: it changed no game */
};

/* A game whose bots are due, as it was taken. */
struct store_due {
	struct uuid id;
	uint32_t version;
	uint32_t since_ms; /* since it changed */
};

/*
 * A server of several, and the games whose ids have a hash from first to last
 * (store/placement.h).
 */
struct store_placement {
	uint32_t first;
	uint32_t last;
	const char *host;
	uint32_t port;
};

/*
 * A notification, by its key: one delivery for a seat to a target, the hash of
 * a subscription's endpoint; zeros: the operator's webhook.  The lease changes
 * each time that it is taken.
 */
struct store_notification_key {
	struct uuid game;
	uint32_t version;
	uint8_t seat;
	uint8_t target[STORE_HASH_SIZE];
	uint32_t lease;
};

/*
 * A push service, by a keyed hash; 0: not known.  Numbers are only compared.
 */
typedef uint64_t store_service;

/* A notification that was taken.  Missing texts are NULL. */
struct store_notification {
	struct store_notification_key key;
	store_service service; /* 0 of the webhook */
	uint8_t code;
	uint8_t attempts; /* that have failed */
	int64_t created_us;
	uint32_t left_s;    /* until no more tries are made; 0: that is over */
	bool is_watching;   /* the player has seen the change */
	uint32_t unsure_ms; /* until is_watching is certain; 0: it is */
	uint8_t ruleset;
	const char *mode;    /* of the game; NULL if it has none */
	struct uuid rematch; /* likewise; or none */
	const char *name;    /* of the seat; NULL: it is free */
	const char *host;    /* the name of the table's host; NULL likewise */
	const char *client_reference;
	const char *subscription; /* NULL: it was removed */
	bool is_damaged;          /* one of the two cannot be decrypted */
};

/* The fate of a taken notification; numbers of settle_notifications.sql. */
enum store_fate { STORE_DUE_AGAIN, STORE_STAYS, STORE_DELETED };
struct store_settled {
	struct store_notification_key key;
	uint8_t attempts;
	uint8_t fate;     /* an enum store_fate */
	uint32_t rest_ms; /* until it can be taken again */
};

/*
 * The answer to a statement.  Each function says which members it fills besides
 * the result; the others are zero, and so are all unless the result is
 * STORE_OK.  The answer lasts as long as the call of the function; rows live in
 * the arena that the statement was given.
 */
struct store_answer {
	enum store_result result;
	bool was_sent; /* and not refused; else nothing has changed */
	int64_t at_us; /* since 1970, by the database's clock */
	struct uuid id;
	const struct store_game *game;
	const struct store_key *key;
	const uint8_t *token_hash; /* STORE_HASH_SIZE bytes */
	const uint8_t *sealed;     /* of a transfer */
	size_t sealed_len;
	struct store_waiting waiting;

	size_t count; /* of the items in the list */
	union {
		void *items; /* of one of these types; NULL: the list is empty
		              */
		const struct store_event *events;
		const struct store_listed *listed;
		const struct store_last_seen *last_seen;
		const struct store_version *versions;
		const struct store_report *reports;
		const struct store_count *counts;
		const struct store_due *due;
		const struct store_placement *placements;
		const struct store_notification *notifications;
	};
	bool more;        /* there are other items after these */
	struct uuid next; /* from where the lobby goes on; or none */
};
typedef void (*store_fn)(void *arg, const struct store_answer *answer);
