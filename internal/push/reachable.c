/*
 * In IPv6 only 2000::/3 is public, without the networks below, which are for
 * tunnels and documents.  In IPv4 all addresses are public that are not in the
 * list of RFC 6890.
 */
#include "push/reachable.h"

#include <stdint.h>
#include <string.h>

#include "base/network.h"

static const char special[] =
	"0.0.0.0/8,10.0.0.0/8,100.64.0.0/10,127.0.0.0/8,169.254.0.0/16,"
	"172.16.0.0/12,192.0.0.0/24,192.0.2.0/24,192.88.99.0/24,192.168.0.0/16,"
	"198.18.0.0/15,198.51.100.0/24,203.0.113.0/24,224.0.0.0/3,"
	"2001::/23,2001:db8::/32,2002::/16,3fff::/20";
static const char global[] = "0.0.0.0/0,2000::/3";

/* Connections are rare: parsing the lists costs less than keeping them. */
static bool is_listed(const uint8_t address[NETWORK_ADDRESS_SIZE],
                      const char *text)
{
	struct network_list *list = network_list_open(text);
	bool is_in = list && network_list_has(list, address);

	network_list_close(list);
	return is_in;
}

static bool is_allowed(const uint8_t address[NETWORK_ADDRESS_SIZE],
                       const char *list)
{
	return (is_listed(address, global) && !is_listed(address, special)) ||
	       is_listed(address, list);
}

bool reachable_is_allowed_text(const char *address, const char *list)
{
	uint8_t bytes[NETWORK_ADDRESS_SIZE];

	return network_address_parse(address, strlen(address), bytes) &&
	       is_allowed(bytes, list);
}

bool reachable_is_allowed(const struct sockaddr *address, const char *list)
{
	uint8_t bytes[NETWORK_ADDRESS_SIZE];

	/* Zeros, for a family other than IP, are in no public network. */
	network_address_of(address, bytes);
	return is_allowed(bytes, list);
}
