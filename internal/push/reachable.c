/*
 * An address is 16 bytes, IPv4 as ::ffff:a.b.c.d.  Of IPv6 only 2000::/3 is
 * public, without the networks below that tunnel or that are for documents; of
 * IPv4, all that is not in the list of RFC 6890.
 */
#include "push/reachable.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 16, BITS = 128, MAPPED_BITS = 96, TEXT_MAX = 64 };

struct network {
	uint8_t address[SIZE];
	unsigned bits;
};

static const uint8_t mapped[SIZE] = { [10] = 0xff, [11] = 0xff };

static const char special[] =
	"0.0.0.0/8,10.0.0.0/8,100.64.0.0/10,127.0.0.0/8,169.254.0.0/16,"
	"172.16.0.0/12,192.0.0.0/24,192.0.2.0/24,192.88.99.0/24,192.168.0.0/16,"
	"198.18.0.0/15,198.51.100.0/24,203.0.113.0/24,224.0.0.0/3,"
	"2001::/23,2001:db8::/32,2002::/16,3fff::/20";
static const char global[] = "0.0.0.0/0,2000::/3";

static bool is_in(const uint8_t address[SIZE], const struct network *network)
{
	unsigned whole = network->bits / 8;
	unsigned rest = network->bits % 8;

	if (memcmp(address, network->address, whole) != 0)
		return false;
	return rest == 0 ||
	       (address[whole] ^ network->address[whole]) >> (8 - rest) == 0;
}

/* Read an address, or a network. */
static bool read_network(const char *text, size_t len, struct network *network)
{
	char copy[TEXT_MAX];
	struct in_addr four;

	if (len == 0 || len >= sizeof(copy))
		return false;
	memcpy(copy, text, len);
	copy[len] = '\0';
	char *bits = strchr(copy, '/');
	if (bits)
		*bits++ = '\0';
	bool is_four = inet_pton(AF_INET, copy, &four) == 1;
	memcpy(network->address, mapped, SIZE);
	if (is_four)
		memcpy(network->address + 12, &four, sizeof(four));
	else if (inet_pton(AF_INET6, copy, network->address) != 1)
		return false;
	network->bits = BITS;
	if (!bits)
		return true;
	if (!bits[0] || strlen(bits) > 3 ||
	    strspn(bits, "0123456789") != strlen(bits))
		return false;
	network->bits = (unsigned)strtoul(bits, NULL, 10) +
	                (is_four ? (unsigned)MAPPED_BITS : 0);
	return network->bits <= BITS;
}

/* Read the next network of a list; false: none is left, or it is none. */
static bool next_network(const char **list, struct network *network)
{
	*list += strspn(*list, ", ");
	size_t len = strcspn(*list, ", ");
	const char *start = *list;

	*list += len;
	return read_network(start, len, network);
}

static bool is_listed(const uint8_t address[SIZE], const char *list)
{
	struct network network;

	while (next_network(&list, &network)) {
		if (is_in(address, &network))
			return true;
	}
	return false;
}

bool reachable_is_list(const char *list)
{
	struct network network;

	while (list[strspn(list, ", ")]) {
		if (!next_network(&list, &network))
			return false;
	}
	return true;
}

static bool is_allowed(const uint8_t address[SIZE], const char *list)
{
	return (is_listed(address, global) && !is_listed(address, special)) ||
	       is_listed(address, list);
}

bool reachable_is_allowed_text(const char *address, const char *list)
{
	struct network network;

	return read_network(address, strlen(address), &network) &&
	       network.bits == BITS && is_allowed(network.address, list);
}

bool reachable_is_allowed(const struct sockaddr *address, const char *list)
{
	uint8_t bytes[SIZE];

	memcpy(bytes, mapped, SIZE);
	if (address->sa_family == AF_INET) {
		struct sockaddr_in four;

		memcpy(&four, address, sizeof(four));
		memcpy(bytes + 12, &four.sin_addr, sizeof(four.sin_addr));
	} else if (address->sa_family == AF_INET6) {
		struct sockaddr_in6 six;

		memcpy(&six, address, sizeof(six));
		memcpy(bytes, &six.sin6_addr, SIZE);
	} else {
		return false;
	}
	return is_allowed(bytes, list);
}
