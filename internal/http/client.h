/*
 * client.h - the address that a connection or a request counts for.
 */
#pragma once

#include <stdbool.h>

#include "http/address.h"
#include "http/exchange.h"
#include "http/peer.h"

/* The clients of one server. */
struct clients {
	const struct http_config *config; /* the server's */
	struct network_list *proxies;
	unsigned beyond_count; /* connections beyond the caps of addresses */
	bool has_warned;       /* of a proxy that is not trusted */
};

/* The config's trusted_proxies are valid (base/network.h). */
void client_init(struct clients *clients, const struct http_config *config);
void client_fini(struct clients *clients);

/*
 * Note a new connection's address, and count it; false if its address has too
 * many, and it must not be served.  The other function undoes that.
 */
MUST_CHECK bool client_enter(struct clients *clients, struct peer *peer);
void client_leave(struct clients *clients, struct peer *peer);

/* Refuse the request of a connection beyond the cap of its address. */
void client_check(const struct clients *clients, struct exchange *exchange);

/* Find the address of a request whose fields have been read. */
void client_find_address(struct clients *clients, struct exchange *exchange);
