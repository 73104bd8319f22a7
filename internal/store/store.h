/*
 * store.h - games in PostgreSQL, without ever waiting.
 *
 * A store belongs to one event loop: some connections in pipeline mode, each
 * with its queue of statements.  The loop waits on store_fd(), calls
 * store_run() when it is readable or store_timeout_ns() has passed, and
 * store_flush() at the end of each tick, so that what was queued in one tick
 * travels together.
 *
 * Every statement ends in exactly one call of its store_fn, made from
 * store_run() or store_close(), never from inside the call that queued it.
 * Connections are made (names looked up, hosts tried in turn, statements
 * prepared, the schema's version compared) by a thread of the store's own,
 * so that nothing here blocks; while none is up, or when the server does not
 * answer in time, statements end with STORE_UNAVAILABLE.  A statement that
 * was on its way then may or may not have been carried out: it is never
 * cancelled.  One that waits too long for another transaction's lock is
 * refused.
 *
 * The store holds the bytes and numbers that it is given; it knows no rules.
 */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/uuid.h"

enum store_result {
	STORE_OK,
	STORE_NONE,        /* there is no such row */
	STORE_CONFLICT,    /* the game's version is another by now */
	STORE_TAKEN,       /* the invitation code, or the key, is in use */
	STORE_UNAVAILABLE, /* not now; a write may or may not have happened */
	STORE_BROKEN, /* the statement was refused, or a row damaged: logged */
};

enum {
	STORE_SEATS_MAX = 6,
	STORE_HASH_SIZE = 32,
	STORE_ADDRESS_SIZE = 16,
	STORE_CODE_LEN = 8,
	STORE_EVENTS_MAX = 32,       /* in one move */
	STORE_PAGE_MAX = 500,        /* events in one answer */
	STORE_LISTED_MAX = 100,      /* games in one answer */
	STORE_SEEN_MAX = 1024,       /* players in one update */
	STORE_LAST_SEEN_STEP_S = 10, /* as in update_last_seen.sql */
	STORE_TICKET_S = 30,    /* as use_ticket.sql and give_ticket.sql do */
	STORE_QUEUE_MAX = 4096, /* statements, queued and sent, in all */
};

struct store;

struct store_config {
	const char *url;      /* a libpq connection string; borrowed */
	unsigned connections; /* 1..250 */
	unsigned deadline_ms; /* of a statement, and of waiting for one */
};

/* True if libpq can read the connection string; an empty one is none. */
MUST_CHECK bool store_url_is_valid(const char *url);

/* True if there is a password in it, of the role or of a key file. */
MUST_CHECK bool store_url_has_password(const char *url);

/* Starts to connect and returns at once.  Never fails. */
struct store *store_open(const struct store_config *config);

int store_fd(const struct store *store);
uint64_t store_timeout_ns(const struct store *store); /* UINT64_MAX: never */
void store_run(struct store *store);
void store_flush(struct store *store);

/*
 * The latest time (monotonic, ns) by which the statement that is queued next is
 * answered, even when it waits a whole deadline to be sent and is given another
 * one.  Only a loop that was late is answered later.
 */
void store_set_deadline(struct store *store, uint64_t latest_ns);

/* How many statements it still takes; those beyond are refused. */
unsigned store_room(const struct store *store);

/* True while a connection is up whose schema is the known one. */
bool store_is_ready(const struct store *store);

/* Ends what is queued with STORE_UNAVAILABLE.  NULL is fine. */
void store_close(struct store *store);

struct store_seat {
	const char *name; /* NULL: the seat is vacant */
	uint8_t token_hash[STORE_HASH_SIZE];
	bool is_stale; /* last seen more than half of absence_s ago */
};

/* The idempotency key of a change, which is made once under it. */
struct store_key {
	const uint8_t *hash;    /* STORE_HASH_SIZE bytes; NULL: no key */
	const uint8_t *request; /* the hash of the request, likewise */
	struct uuid location;   /* the game that a rematch created; or none */
	const uint8_t *sealed;  /* part of the answer; NULL: nothing */
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
	struct store_seat seats[STORE_SEATS_MAX]; /* seat 1 is [0] */
	struct store_key key; /* the change made under the key, or hash NULL */
};

/* One event; the parts are NULL where there is nothing. */
struct store_event {
	uint32_t version;
	int64_t at_us; /* the database's; ignored when writing */
	uint8_t type;
	uint8_t seat;
	uint8_t heist;
	uint8_t color;
	const uint8_t *public_data;
	size_t public_len;
	const uint8_t *private_data;
	size_t private_len;
	const uint8_t *replay_data; /* of the first event of an action */
	size_t replay_len;
};

/* A player takes a seat. */
struct store_join {
	uint8_t seat; /* 0: no player does */
	const char *name;
	const char *name_key; /* folded, to be unique in the game */
	const uint8_t *token_hash;
};

/* A player leaves; with renews_code the game's invite_code is a new one. */
struct store_leave {
	uint8_t seat;
	bool closes_up; /* the seats behind move up by one */
	bool renews_code;
	int64_t last_seen_us; /* of a player removed as absent; else 0 */
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
	struct store_leave leave;
	struct store_key key;
};

/* When a player was last seen, rounded down to STORE_LAST_SEEN_STEP_S. */
struct store_last_seen {
	uint8_t seat;
	int64_t last_seen_us;
	int64_t now_us; /* the database's, the same in all */
};

/* A player who was seen: sent a request. */
struct store_seen {
	struct uuid game;
	uint8_t token_hash[STORE_HASH_SIZE];
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
	const char *host; /* the host's name; NULL: the seat is vacant */
};

/* How many public games wait for players, by who created them. */
struct store_waiting {
	uint32_t of_address;
	uint32_t of_site; /* 48 bits of IPv6; 0 for IPv4 */
};

/*
 * The version of a game: the one that a caller has seen, or the one that the
 * game has; UINT32_MAX for a game that is gone.
 */
struct store_version {
	struct uuid id;
	uint32_t version;
};

/*
 * The answer to a statement.  Each function says which members it fills beside
 * the result; the others are zero, and so are all unless the result is
 * STORE_OK.  The answer lasts as long as the call of the function; rows live in
 * the arena that the statement was given.
 */
struct store_answer {
	enum store_result result;
	int64_t at_us; /* since 1970, by the database's clock */
	struct uuid id;
	const struct store_game *game;
	const struct store_key *key;
	const uint8_t *token_hash; /* STORE_HASH_SIZE bytes */
	struct store_waiting waiting;

	size_t count; /* of the rows in the one of these that is filled */
	const struct store_event *events;
	const struct store_listed *listed;
	const struct store_last_seen *players;
	const struct store_version *versions;
	bool more;        /* there are events behind these */
	struct uuid next; /* from where the lobby goes on; or none */
};
typedef void (*store_fn)(void *arg, const struct store_answer *answer);

/* Is the database there, and what time is it?  at_us. */
void store_ping(struct store *store, store_fn done, void *arg);

/*
 * Load a game: game; STORE_NONE if there is none.  With a key's hash (not NULL)
 * also what was done in the game under it, in game->key.
 */
void store_load(struct store *store, struct uuid id, const uint8_t *key_hash,
                struct arena *arena, store_fn done, void *arg);

/* The game that was created under a key: id, key; STORE_NONE if none was. */
void store_find_creation(struct store *store, const uint8_t *key_hash,
                         struct arena *arena, store_fn done, void *arg);

/*
 * Create the game with its first seat: at_us.  STORE_TAKEN: draw another code,
 * or look for what was created under the key by now.
 */
void store_create(struct store *store, const struct store_move *move,
                  store_fn done, void *arg);

/* Commit a move: at_us.  STORE_CONFLICT, and nothing written, if the version
 * is another by now.
 */
void store_commit_move(struct store *store, const struct store_move *move,
                       store_fn done, void *arg);

/*
 * Commit a move by which a seat becomes free: at_us.  STORE_CONFLICT, and
 * nothing written, if the version is another by now, the player was seen since
 * last_seen_us, or the new code is in use.
 */
void store_leave(struct store *store, const struct store_move *move,
                 store_fn done, void *arg);

/*
 * Create the rematch of an ended game, with its seats, and write the ended
 * game's one event: at_us.  rematch_of of the rematch is the ended game's id.
 * STORE_CONFLICT, and nothing written, if the ended game's version is another
 * by now, or the code is in use.
 */
void store_rematch(struct store *store, const struct store_move *ended,
                   const struct store_move *next, store_fn done, void *arg);

/*
 * Delete the game and all that belongs to it, if it still has that version:
 * at_us.  STORE_CONFLICT if it has not, or is gone.
 */
void store_delete(struct store *store, struct uuid id, uint32_t version,
                  store_fn done, void *arg);

/* The game that a code, as invite_code has it, invites to: id; STORE_NONE. */
void store_find_invitation(struct store *store, const char *code, store_fn done,
                           void *arg);

/* When the players of a game were last seen: players, in no order. */
void store_last_seen(struct store *store, struct uuid id, struct arena *arena,
                     store_fn done, void *arg);

/* Record that players were seen: count of them, 1..STORE_SEEN_MAX.  at_us. */
void store_update_last_seen(struct store *store, const struct store_seen *seen,
                            size_t count, store_fn done, void *arg);

/*
 * Record that one player was seen now, which a removal that is committed later
 * finds: at_us.  STORE_NONE if no seat has that token any more.
 */
void store_record_last_seen(struct store *store, struct uuid id,
                            const uint8_t *token_hash, store_fn done,
                            void *arg);

/*
 * Give the seat with this token a ticket that is good for STORE_TICKET_S
 * from at_us on; STORE_NONE if the game is gone.  Use a ticket up:
 * token_hash, of the seat; STORE_NONE if there is no such ticket any more.
 */
void store_give_ticket(struct store *store, struct uuid id,
                       const uint8_t *ticket_hash, const uint8_t *token_hash,
                       store_fn done, void *arg);
void store_use_ticket(struct store *store, struct uuid id,
                      const uint8_t *ticket_hash, struct arena *arena,
                      store_fn done, void *arg);

/*
 * How many public games that were created from an address, or its site, wait
 * for players: waiting.
 */
void store_count_waiting(struct store *store, const uint8_t *creator_address,
                         store_fn done, void *arg);

/*
 * The versions of the games that are past their version in seen, or gone:
 * versions, count.
 */
void store_poll_versions(struct store *store, const struct store_version *seen,
                         size_t count, struct arena *arena, store_fn done,
                         void *arg);

/*
 * Public games that wait for players and whose host was seen in the last 15
 * minutes, the newest first: listed, count, next.  One statement examines a
 * bounded number of games, so it may find fewer than the limit although there
 * are others behind: ask again with next as before.  It is none when all have
 * been examined.
 */
struct store_wanted {
	struct uuid before;  /* older than this one */
	uint8_t ruleset;     /* 0: any */
	const char *mode;    /* NULL: any */
	unsigned free_seats; /* at least */
	unsigned limit;      /* 1..STORE_LISTED_MAX */
};
void store_lobby(struct store *store, const struct store_wanted *wanted,
                 struct arena *arena, store_fn done, void *arg);

/*
 * Events after a version, in order, without their replay_data: events, count,
 * more.
 */
struct store_page {
	uint32_t after;
	uint32_t up_to; /* no later than the version that was loaded */
	unsigned limit; /* 1..STORE_PAGE_MAX */
};
void store_events(struct store *store, struct uuid id, struct store_page page,
                  struct arena *arena, store_fn done, void *arg);

#endif
