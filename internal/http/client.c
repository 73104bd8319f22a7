/*
 * A connection counts for the address at its other end, unless that is a
 * trusted proxy, whose connections belong to many clients.  A request counts
 * for the address that X-Forwarded-For names, as far as proxies are trusted.
 *
 * A connection beyond the cap of its address is served one request, which is
 * refused unless it is a probe.  Only a few of them are open at a time; any
 * other is closed without a response.
 */
#include "http/client.h"

#include <assert.h>
#include <string.h>

#include <microhttpd.h>

#include "base/log.h"
#include "base/network.h"
#include "http/cors.h"

/* Connections beyond their addresses' caps that are answered at a time. */
enum { BEYOND_MAX = 16 };

void client_init(struct clients *clients, const struct http_config *config)
{
	*clients = (struct clients){
		.config = config,
		.proxies = network_list_open(
			config->trusted_proxies ? config->trusted_proxies : ""),
	};
	assert(clients->proxies);
}

void client_fini(struct clients *clients)
{
	network_list_close(clients->proxies);
}

bool client_enter(struct clients *clients, struct peer *peer)
{
	const struct http_config *config = clients->config;
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(peer->connection,
	                                MHD_CONNECTION_INFO_CLIENT_ADDRESS);
	uint8_t count_as[HTTP_ADDRESS_SIZE];

	assert(info);
	network_address_of(info->client_addr, peer->address);
	if (!config->on_connect ||
	    network_list_has(clients->proxies, peer->address))
		return true;
	memcpy(count_as, peer->address, sizeof(count_as));
	address_count_as(count_as);
	peer->is_counted = config->on_connect(count_as, config->arg);
	if (peer->is_counted)
		return true;
	peer->is_beyond = clients->beyond_count < BEYOND_MAX;
	clients->beyond_count += peer->is_beyond;
	return peer->is_beyond;
}

void client_leave(struct clients *clients, struct peer *peer)
{
	clients->beyond_count -= peer->is_beyond;
	peer->is_beyond = false;
	if (!peer->is_counted)
		return;
	peer->is_counted = false;
	address_count_as(peer->address);
	clients->config->on_disconnect(peer->address, clients->config->arg);
}

/* All clients of a proxy that is not trusted count as one address. */
static void warn_of_proxy(struct clients *clients, const uint8_t *address)
{
	if (clients->has_warned || network_list_has(clients->proxies, address))
		return;
	clients->has_warned = true;
	LOG(LOG_WARNING, "proxy_not_trusted",
	    LOG_TEXT("set", "GANGD_TRUSTED_PROXIES"));
}

void client_find_address(struct clients *clients, struct exchange *exchange)
{
	const char *forwarded = exchange->fields.values[FIELD_X_FORWARDED_FOR];
	uint8_t *address = exchange->req.address;

	memcpy(address, exchange->peer->address, HTTP_ADDRESS_SIZE);
	if (forwarded)
		warn_of_proxy(clients, address);
	if (!network_list_has(clients->proxies, address))
		exchange->req.prefix = NULL;
	address_follow(clients->proxies, forwarded, address);
	address_count_as(address);
}

void client_check(const struct clients *clients, struct exchange *exchange)
{
	const struct http_config *config = clients->config;
	struct http_request *req = &exchange->req;

	if (!exchange->peer->is_beyond)
		return;
	exchange->is_last = true;
	if (req->route && req->route->is_probe)
		return;
	exchange->must_close = true;
	/* The page could not read a refusal of its preflight. */
	if (!cors_is_preflight(exchange))
		exchange->refusal = config->on_beyond(req, config->arg);
}
