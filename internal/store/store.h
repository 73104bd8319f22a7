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
 * While no connection is up, or when the server does not answer in time,
 * statements end with STORE_UNAVAILABLE.  A statement that was on its way then
 * may or may not have been carried out: it is never cancelled.  While commits
 * do not come back (commits.h), statements that change something end with
 * STORE_HELD at once, and are not sent.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/uuid.h"
#include "postgres/records.h"
#include "store/handle.h"

/* Ask the database for its time: at_us. */
void store_ping(struct store *store, store_fn done, void *arg);

/*
 * Load a game: game; STORE_NONE if it does not exist.  With key_hash also the
 * use of that key in the game, in game->key.  is_stale of the seats may be set
 * although it was not asked for, since loads of a game share an answer.
 */
struct store_load {
	struct uuid id;
	const uint8_t *key_hash; /* NULL: no key */
	bool finds_stale;        /* set is_stale of the seats */
	bool is_urgent;          /* do not wait for other loads */
};
void store_load(struct store *store, const struct store_load *load,
                struct arena *arena, store_fn done, void *arg);

/* The game that was created under a key: id, key; STORE_NONE if none was. */
void store_find_creation(struct store *store, const uint8_t *key_hash,
                         struct arena *arena, store_fn done, void *arg);

/*
 * Create the game with its first seat, and its bots: at_us.  STORE_TAKEN: the
 * code or the key is in use; load the key, or draw another code.
 */
void store_create(struct store *store, const struct store_move *move,
                  store_fn done, void *arg);

/* True if a player or bot joins, leaves or changes by the move. */
bool store_changes_seats(const struct store_move *move);

/*
 * Commit a move, by which a seat may become free, and at most one player joins,
 * changes or gets another token (only with a key): at_us.  STORE_CONFLICT, and
 * nothing written, if the version has changed, the player who leaves was
 * seen since last_seen_us, or the new code is in use; without a change of seats
 * also if the game has another revision than the move requires.
 */
void store_commit_move(struct store *store, const struct store_move *move,
                       store_fn done, void *arg);

/*
 * Create the rematch of an ended game, with its seats, and write the ended
 * game's one event: at_us.  rematch_of of the rematch is the ended game's id.
 * STORE_CONFLICT, and nothing written, if the ended game's version has changed,
 * or the code is in use.
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

/* Record that 1..STORE_LAST_SEEN_MAX callers were seen: at_us. */
void store_update_last_seen(struct store *store,
                            const struct store_caller *callers, size_t count,
                            store_fn done, void *arg);

/*
 * Record that one player was seen now, which a removal that is committed later
 * finds, and the version that the player is sent: at_us.  STORE_NONE if no seat
 * has that token any more.
 */
void store_record_last_seen(struct store *store, struct uuid id,
                            const uint8_t *token_hash, uint32_t version,
                            store_fn done, void *arg);

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
 * Give the seat with this token a code for another device, which is good for
 * STORE_TRANSFER_S from at_us on, and ends the seat's earlier code; STORE_NONE
 * if the game is gone.
 */
struct store_transfer {
	struct uuid game;
	const uint8_t *token_hash;
	const uint8_t *code_hash;
	const uint8_t *sealed; /* the token */
	size_t sealed_len;
};
void store_give_transfer(struct store *store,
                         const struct store_transfer *transfer, store_fn done,
                         void *arg);

/*
 * The seat of such a code: token_hash, sealed; STORE_NONE if it is unknown,
 * used or too old.  With a claimer (STORE_HASH_SIZE bytes) use the code up; the
 * same claimer finds it again.
 */
void store_find_transfer(struct store *store, struct uuid id,
                         const uint8_t *code_hash, struct arena *arena,
                         store_fn done, void *arg);
struct store_claim {
	struct uuid game;
	const uint8_t *code_hash;
	const uint8_t *claimer;
};
void store_claim_transfer(struct store *store, const struct store_claim *claim,
                          struct arena *arena, store_fn done, void *arg);

/*
 * How many public games that were created from an address, or its site, wait
 * for players: waiting.
 */
void store_count_waiting(struct store *store, const uint8_t *creator_address,
                         store_fn done, void *arg);

/*
 * How many games there are that are not over, by ruleset and status: counts,
 * count.  It examines 100,000 games at most.
 */
void store_count_games(struct store *store, struct arena *arena, store_fn done,
                       void *arg);

/*
 * Take games whose bots are due, at most a limit: due, count.  Nobody else gets
 * them within STORE_LEASE_MS.  The arena gets the list.
 */
enum { STORE_LEASE_MS = 3000 }; /* as in take_bots.sql, take_bot.sql */
void store_take_bots(struct store *store, unsigned limit, struct arena *arena,
                     store_fn done, void *arg);

/*
 * The same in two steps, where no statement may lock rows of several games:
 * find games that are due: due without since_ms, count; then take one of them,
 * if it is still due: due, count 0 or 1.
 */
void store_find_due_bots(struct store *store, unsigned limit,
                         struct arena *arena, store_fn done, void *arg);
void store_take_bot(struct store *store, struct uuid game, struct arena *arena,
                    store_fn done, void *arg);

/*
 * Let the bots of a game rest for rest_ms, or with STORE_REST_ON until the game
 * changes: at_us.  STORE_CONFLICT if its version has changed.
 */
enum { STORE_REST_ON = -1 };
void store_rest_bots(struct store *store, struct store_version game,
                     int rest_ms, store_fn done, void *arg);

/*
 * Skip this many bot-only games, the oldest first, and find the next: id;
 * STORE_NONE if there are not more.
 */
void store_find_bot_limit(struct store *store, unsigned games, store_fn done,
                          void *arg);

/*
 * Add a push subscription of the player with this token, or renew the one with
 * the same endpoint: STORE_OK; STORE_NONE if no seat has the token, STORE_TAKEN
 * if the player has STORE_SUBSCRIPTIONS_MAX others.  The text has at most
 * STORE_ENDPOINT_MAX bytes.
 */
struct store_subscription {
	struct uuid game;
	const uint8_t *token_hash;
	const uint8_t *endpoint_hash; /* stored as a keyed hash */
	const char *text;             /* push/endpoint.h has its form */
	const char *service;          /* likewise */
};
void store_subscribe(struct store *store,
                     const struct store_subscription *subscription,
                     store_fn done, void *arg);

/*
 * Remove the push subscription of the player with this token to this endpoint,
 * or with endpoint_hash NULL all of them: at_us, also if nothing was removed;
 * STORE_NONE if the game is gone.
 */
void store_unsubscribe(struct store *store,
                       const struct store_subscription *subscription,
                       store_fn done, void *arg);

/* Remove the push subscription that is the target of a notification. */
void store_forget_target(struct store *store, struct uuid game,
                         const uint8_t target[STORE_HASH_SIZE], store_fn done,
                         void *arg);

/*
 * Take notifications that have been due for the delay of their target:
 * notifications, count.  Nobody else gets them within lease_ms.  With the delay
 * STORE_LEFT_MS a target's are left to other processes, until they expire.  At
 * most room less used are taken for a push service.  The arena gets the list.
 */
enum { STORE_LEFT_MS = 24 * 60 * 60 * 1000 }; /* expires_at of migration 0015 */
struct store_used {
	store_service service;
	uint32_t count;
};
struct store_taking {
	/* Together 1..STORE_NOTIFICATIONS_MAX. */
	unsigned push_limit;
	unsigned webhook_limit;
	uint32_t push_delay_ms;
	uint32_t webhook_delay_ms;
	uint32_t lease_ms;
	unsigned room; /* of each push service */
	size_t used_count;
	struct store_used used[STORE_SERVICES_MAX];
};
void store_take_notifications(struct store *store,
                              const struct store_taking *taking,
                              struct arena *arena, store_fn done, void *arg);

/*
 * The same in two steps, where no statement may lock rows of several games:
 * find games that have some: due, of which the ids alone count, count; then
 * take those of one of them.
 */
void store_find_due_notifications(struct store *store,
                                  const struct store_taking *taking,
                                  struct arena *arena, store_fn done,
                                  void *arg);
void store_take_game_notifications(struct store *store, struct uuid game,
                                   const struct store_taking *taking,
                                   struct arena *arena, store_fn done,
                                   void *arg);

/*
 * Record the fates of 1..STORE_NOTIFICATIONS_MAX taken ones: at_us.  One that
 * another process has taken since is not touched.  delay_ms, by which taking
 * waits longer than the database says, counts as a part of rest_ms.  Where no
 * statement may lock rows of several games, each run of one game has a
 * statement of its own, and a call of done.
 */
void store_settle_notifications(struct store *store,
                                const struct store_settled *settled,
                                size_t count, uint32_t delay_ms, store_fn done,
                                void *arg);

/* Name the statements and their results, for metrics. */
void store_name_metrics(void);

/*
 * The versions of the games that are past their version in seen, or gone:
 * versions, count.
 */
void store_poll_versions(struct store *store, const struct store_version *seen,
                         size_t count, struct arena *arena, store_fn done,
                         void *arg);

/*
 * Report what this process has committed, and read what others have since:
 * reports, count.  Each report of a process has a number of its own.
 */
struct store_exchange {
	struct uuid process;
	uint32_t number;                   /* from 1; 0: report nothing */
	const struct store_version *games; /* at most STORE_REPORT_MAX */
	size_t games_count;
	const struct store_report *seen; /* the last of each process */
	size_t seen_count;
	bool forgets; /* delete old ones, too */
};
void store_exchange_reports(struct store *store,
                            const struct store_exchange *exchange,
                            struct arena *arena, store_fn done, void *arg);

/*
 * Public games that wait for players and whose host was seen in the last 15
 * minutes, the newest first: listed, count, next.  One statement examines a
 * bounded number of games, so it may find fewer than the limit although there
 * are others: ask again with next as before.  next is zero when all have been
 * examined.
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
