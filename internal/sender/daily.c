/*
 * daily.c - an endpoint is counted by its host and its path as a server reads
 * them: in lower case without the usual port, and without percent-encoding.
 */
#include "sender/daily.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "push/endpoint.h"

static const struct quota of_player = { "push_player", DAILY_MAX, QUOTA_DAY_S };
static const struct quota of_endpoint = { "push_endpoint", DAILY_MAX,
	                                  QUOTA_DAY_S };

/* One byte of a path, perhaps encoded as "%2f"; NULL: a query, or the end. */
static const char *read_byte(const char *at, char *byte)
{
	char digits[3] = "";

	if (*at == '\0' || *at == '?')
		return NULL;
	*byte = *at;
	if (*at != '%' || !isxdigit((unsigned char)at[1]) ||
	    !isxdigit((unsigned char)at[2]))
		return at + 1;
	memcpy(digits, at + 1, 2);
	*byte = (char)strtoul(digits, NULL, 16);
	return at + 3;
}

size_t daily_place(const char *url, char place[DAILY_PLACE_SIZE])
{
	const char *at = strstr(url, "://");
	size_t len;

	endpoint_host(url, place);
	len = strlen(place);
	for (size_t i = 0; i < len; i++)
		place[i] = (char)tolower((unsigned char)place[i]);
	at = at ? strchr(at + 3, '/') : NULL;
	while (at && len < DAILY_PLACE_SIZE) {
		at = read_byte(at, &place[len]);
		len += at != NULL;
	}
	return len;
}

bool daily_take(struct limiter *limiter,
                const struct store_notification_key *key, const char *url)
{
	uint8_t player[sizeof(key->game.bytes) + 1];
	char place[DAILY_PLACE_SIZE];
	size_t len = daily_place(url, place);
	uint64_t now_ns = clock_monotonic_ns();
	struct quota_left left;

	memcpy(player, key->game.bytes, sizeof(key->game.bytes));
	player[sizeof(key->game.bytes)] = key->seat;
	return limiter_take(limiter, &of_player, player, sizeof(player), now_ns,
	                    &left) &&
	       limiter_take(limiter, &of_endpoint, (const uint8_t *)place, len,
	                    now_ns, &left);
}
