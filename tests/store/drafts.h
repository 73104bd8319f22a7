/*
 * drafts.h - games for tests of moves that are on their way together, in a
 * store with one connection.
 */
#pragma once

#include "group.h"

enum { GAMES = 8, DRAFTS_MAX = 40, DEADLINE_MS = 900 };

/* A session of the daemon's role, which may end the store's connections. */
PGconn *app_session(void);

/* Games of which each has its next move ready. */
extern struct draft drafts[DRAFTS_MAX];
extern struct reply answers[DRAFTS_MAX];

/* Run a group of tests as run_both_ways(). */
int run_on_drafts(const char *name, const struct CMUnitTest *tests,
                  size_t count);

/* Create the first count of the games, and forget all answers. */
void create_games(size_t count);

/* Commit their moves, and wait for the answers. */
void commit_all(size_t count);

/* The game has one move, with its one event; or has no move. */
void assert_committed(const struct draft *draft);
void assert_not_committed(const struct draft *draft);

/* Make the next move of a game find a row in the place of its own. */
void spoil(const struct draft *draft);
void unspoil(const struct draft *draft);

/* Lock a game in a transaction of the owner, which the test ends. */
void lock_game(const struct draft *draft);

/* Run the store until one of its statements waits for a lock. */
void await_lock(void);

/* The server's processes for the store, which tell if any was replaced. */
void list_backends(char list[TEXT_MAX]);
