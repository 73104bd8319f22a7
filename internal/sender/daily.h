/*
 * daily.h - how many requests of Web Push a player, and an endpoint, get in a
 * day.  Each process counts those that it sends, from its start on.
 *
 * A player is a seat of a game, with all its subscriptions.  Endpoints that
 * differ only in their queries count as one, in all games: many subscriptions
 * to one place cause no more requests to it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/macros.h"
#include "postgres/records.h"
#include "push/endpoint.h"
#include "quota/limiter.h"

enum {
	DAILY_MAX = 300, /* at once; refilled evenly over a day */
	DAILY_PLACE_SIZE = ENDPOINT_HOST_SIZE + ENDPOINT_URL_MAX,
};

/* Count a request to the endpoint at url; false if a quota is used up. */
MUST_CHECK bool daily_take(struct limiter *limiter,
                           const struct store_notification_key *key,
                           const char *url);

/* Write host and path of a URL as they are counted; returns the length. */
size_t daily_place(const char *url, char place[DAILY_PLACE_SIZE]);
