/*
 * fixture.h - what the tests of the store share: a store that is driven until
 * it has replied, a connection of the test's own, and games to store.
 */
#pragma once

#include <assert.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <libpq-fe.h>
#include <sodium.h>

#include "base/clock.h"
#include "admin/admin.h"
#include "store/store.h"

enum { MS = 1000 * 1000, PATIENCE_MS = 10000, TEXT_MAX = 1024 };

/* Connection strings of the service's role and of the schema's owner. */
const char *app_url(void);
const char *owner_url(void);

uint64_t now_ms(void);

/* --- a connection of the test's own --------------------------------------- */

/* Fails the test if it cannot connect. */
PGconn *sql_open(const char *url);

/*
 * Run a statement.  Returns the value of its only column and row, or its
 * SQLSTATE if it fails, or "" without a row; the text is good until the next
 * call.
 */
const char *sql(PGconn *pg, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Bring the schema up to date. */
void migrate(void);

/* --- a store and its answers ---------------------------------------------- */

/* The arguments that a callback got; count must be 0 at first. */
struct reply {
	unsigned count; /* calls; one is right */
	enum store_result result;
	bool was_sent;
	int64_t at_us;
	struct uuid id;
	struct store_game game;
	const uint8_t *token_hash;
	struct store_waiting waiting;
	size_t rows_count; /* of those of these that are not NULL */
	const struct store_event *events;
	const struct store_listed *listed;
	const struct store_last_seen *players;
	const struct store_version *versions;
	const struct store_report *reports;
	bool more; /* events, or games of the lobby, after these */
	struct uuid next;
};

/* The store's callback, whose argument is a reply: notes the answer there. */
void on_answer(void *arg, const struct store_answer *answer);

/* One turn of an event loop: wait for at most most_ms, then run the store. */
void tick(struct store *store, uint64_t most_ms);

/* Run the store until count replies were given, each once. */
void await(struct store *store, const struct reply *answers, size_t count);

/* Run the store until it is ready. */
void await_ready(struct store *store);

struct store *open_store(const char *url, unsigned connections,
                         unsigned deadline_ms);

/*
 * The batch size of all stores: GANGD_BATCH of the environment, or its default.
 * A program may run its tests both ways.
 */
extern unsigned batch_max;

/* The first byte of a state is its format; 255 would be an encrypted one. */
enum { STATE_FORMAT_MAX = 127 };

/* Queue a load without looking for stale seats. */
void queue_load(struct store *store, struct uuid id, const uint8_t *key_hash,
                struct arena *arena, struct reply *reply);

/* Each makes one request and waits for its reply. */
enum store_result ping(struct store *store);
struct reply load(struct store *store, struct uuid id, struct arena *arena);

struct reply commit_move(struct store *store, const struct store_move *move);
struct reply create(struct store *store, const struct store_move *move);

/* --- a game to store ------------------------------------------------------ */

/* A move with room for what it points to. */
struct draft {
	struct store_game game;
	struct store_event events[STORE_EVENTS_MAX];
	struct store_move move;
	char code[STORE_CODE_LEN + 1];
	uint8_t state[64];
	uint8_t hash[STORE_HASH_SIZE];
};

/* A new game with one seat and two events. */
void draft_new(struct draft *draft);

/* The next move of a game that was stored, with count events. */
void draft_next(struct draft *draft, size_t count);

/* The id as text, good until the next call. */
const char *id_text(struct uuid id);
