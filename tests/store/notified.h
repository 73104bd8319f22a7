/*
 * notified.h - a game whose players get notifications, and the statements of
 * the store about them.
 */
#pragma once

#include "group.h"

enum {
	YOUR_TURN = 1, /* of push/push_code.def */
	GAME_WON = 12,
	LEASE_MS = 20000,
	TAKEN_MAX = 64,
};

/* Delete all games; a game whose players 1 and 2 have a subscription each. */
void create_subscribed(struct draft *draft);

/* Endpoints are given by their numbers, players as in hash_of(). */
enum store_result subscribe(struct uuid game, unsigned player,
                            unsigned endpoint, const char *text);

/* Endpoint 0 means all endpoints. */
enum store_result unsubscribe(struct uuid game, unsigned player,
                              unsigned endpoint);

/* As gangd-push does when an endpoint is gone. */
enum store_result forget_target(struct uuid game, unsigned player,
                                unsigned endpoint);

/* Commit a move that notifies a seat whose player does not watch. */
void tell(struct draft *draft, unsigned seat, unsigned code);

/* The notifications taken, by one statement or several. */
struct taken {
	unsigned answers;
	size_t count;
	struct store_notification list[TAKEN_MAX];
};
void on_taken(void *arg, const struct store_answer *answer);

/* For all targets, without a delay. */
struct store_taking taking(void);
struct taken take_as(struct store_taking taking);
struct taken take(void);
struct store_notification take_one(void); /* that is the only one */

/* Settle one that was taken, of which three tries have failed. */
void settle(const struct store_notification *taken, enum store_fate fate,
            uint32_t rest_ms, uint32_t delay_ms);

/* Have all that are not settled be due now. */
void make_due(void);

long count_where(const char *table, const char *condition);
long push_seats(struct uuid game);
