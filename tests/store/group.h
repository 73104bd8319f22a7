/*
 * group.h - what a group of tests has open: the owner's connection, and for
 * each test of ON_A_STORE a store and an arena of its own.
 */
#pragma once

#include "fixture.h"

/* The options of the next store; a main may change them before its tests. */
extern struct store_config config;

extern PGconn *owner; /* may do anything in the schema */
extern struct store *store;
extern struct arena arena;

/* Setup and teardown of a group of tests, and of a test that has a store. */
int open_all(void **state);
int close_all(void **state);
int open_one(void **state);
int close_one(void **state);

/*
 * Run a group of tests, whose statements are gathered, and then are not:
 * GANGD_BATCH is other then, which is 0 or 1.
 */
int run_both_ways(const char *name, const struct CMUnitTest *tests,
                  size_t count, unsigned other);

#define ON_A_STORE(test) \
	cmocka_unit_test_setup_teardown(test, open_one, close_one)

/* Store a new game, and return its id. */
struct uuid create_new(struct draft *draft);

void delete_all_games(void);

/* The token hash of a player: who sat down as the player-th, at any seat now.
 */
void hash_of(unsigned player, uint8_t hash[STORE_HASH_SIZE]);

/* Store a game of this many players, named by letters: "a" is at seat 1. */
void create_table(struct draft *draft, unsigned players);

struct reply leave(const struct store_move *move);

/* Renew the copy of a game's seats, after they were changed by hand. */
void copy_seats(struct uuid id);

/* A digest of all rows of a game, with the transactions that wrote them. */
const char *all_rows(struct uuid id);

/* Copy all_rows() to compare it later. */
void save_rows(struct uuid id, char rows[TEXT_MAX]);

/* Wait until count statements wait for a lock. */
void await_waiting(int count);
