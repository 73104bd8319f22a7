/*
 * daily.h - how many requests of Web Push a player, and an endpoint, get in a
 * day.  Each process counts those that it sends, from its start on.
 *
 * A player is a seat of a game, with all its subscriptions.  Endpoints that
 * differ in their queries alone are one, in all games: somebody who makes many
 * subscriptions to one place has no more requests sent there.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/macros.h"
#include "push/endpoint.h"
#include "postgres/records.h"
#include "quota/limiter.h"

enum {
	DAILY_MAX = 300, /* at once; they come back evenly over a day */
	DAILY_PLACE_SIZE = ENDPOINT_HOST_SIZE + ENDPOINT_URL_MAX,
};

/* Count a request to the endpoint at url; false: one of the two has no more. */
MUST_CHECK bool daily_take(struct limiter *limiter,
                           const struct store_notification_key *key,
                           const char *url);

/* Write host and path of a URL as they are counted; how many bytes. */
size_t daily_place(const char *url, char place[DAILY_PLACE_SIZE]);
