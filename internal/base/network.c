/*
 * A list is an array of prefixes.  IPv4 is mapped into IPv6, so one comparison
 * serves both.
 */
#include "base/network.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/memory.h"

enum { V4_AT = 12, V4_AT_BIT = 8 * V4_AT, BITS = 128, TEXT_MAX = 64 };

static const char between[] = " \t,";
static const uint8_t v4_prefix[V4_AT] = { [10] = 0xff, [11] = 0xff };

struct network {
	uint8_t address[NETWORK_ADDRESS_SIZE];
	unsigned bits; /* that count */
};

struct network_list {
	size_t count;
	struct network networks[];
};

/* --- addresses ------------------------------------------------------------ */

bool network_address_is_v4(const uint8_t address[NETWORK_ADDRESS_SIZE])
{
	return memcmp(address, v4_prefix, V4_AT) == 0;
}

static void map_v4(const void *from, uint8_t into[NETWORK_ADDRESS_SIZE])
{
	memcpy(into, v4_prefix, V4_AT);
	memcpy(into + V4_AT, from, NETWORK_ADDRESS_SIZE - V4_AT);
}

void network_address_of(const struct sockaddr *from,
                        uint8_t into[NETWORK_ADDRESS_SIZE])
{
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;

	memset(into, 0, NETWORK_ADDRESS_SIZE);
	if (from->sa_family == AF_INET) {
		memcpy(&v4, from, sizeof(v4));
		map_v4(&v4.sin_addr, into);
	} else if (from->sa_family == AF_INET6) {
		memcpy(&v6, from, sizeof(v6));
		memcpy(into, &v6.sin6_addr, NETWORK_ADDRESS_SIZE);
	}
}

bool network_address_parse(const char *text, size_t len,
                           uint8_t into[NETWORK_ADDRESS_SIZE])
{
	char copy[TEXT_MAX];
	struct in_addr v4;

	if (len == 0 || len >= sizeof(copy))
		return false;
	memcpy(copy, text, len);
	copy[len] = '\0';
	if (inet_pton(AF_INET, copy, &v4) == 1) {
		map_v4(&v4, into);
		return true;
	}
	return inet_pton(AF_INET6, copy, into) == 1;
}

/* --- lists ---------------------------------------------------------------- */

/* Read a number of at most 128, without a leading zero. */
static bool parse_bits(const char *text, size_t len, unsigned *bits)
{
	if (len == 0 || len > 3 || (text[0] == '0' && len > 1))
		return false;
	*bits = 0;
	for (size_t i = 0; i < len; i++) {
		if (text[i] < '0' || text[i] > '9')
			return false;
		*bits = *bits * 10 + (unsigned)(text[i] - '0');
	}
	return *bits <= BITS;
}

static bool parse_network(const char *text, size_t len, struct network *network)
{
	const char *slash = memchr(text, '/', len);
	size_t address_len = slash ? (size_t)(slash - text) : len;

	if (!network_address_parse(text, address_len, network->address))
		return false;
	network->bits = BITS;
	if (!slash)
		return true;
	if (!parse_bits(slash + 1, len - address_len - 1, &network->bits))
		return false;
	if (!memchr(text, ':', address_len))
		network->bits += V4_AT_BIT;
	/* With fewer bits, a mapped network would contain all of IPv4. */
	return network->bits <= BITS &&
	       (network->bits >= V4_AT_BIT ||
	        !network_address_is_v4(network->address));
}

struct network_list *network_list_open(const char *text)
{
	struct network_list *list =
		xmalloc(sizeof(*list) +
	                (strlen(text) / 2 + 1) * sizeof(struct network));

	list->count = 0;
	for (const char *at = text; *at;) {
		at += strspn(at, between);
		size_t len = strcspn(at, between);

		if (len &&
		    !parse_network(at, len, &list->networks[list->count++])) {
			free(list);
			return NULL;
		}
		at += len;
	}
	return list;
}

void network_list_close(struct network_list *list)
{
	free(list);
}

bool network_list_is_valid(const char *text)
{
	struct network_list *list = network_list_open(text);

	network_list_close(list);
	return list != NULL;
}

static bool is_in(const struct network *network,
                  const uint8_t address[NETWORK_ADDRESS_SIZE])
{
	size_t whole = network->bits / 8;
	unsigned rest = network->bits % 8;

	if (memcmp(network->address, address, whole) != 0)
		return false;
	return rest == 0 ||
	       (network->address[whole] ^ address[whole]) >> (8 - rest) == 0;
}

bool network_list_has(const struct network_list *list,
                      const uint8_t address[NETWORK_ADDRESS_SIZE])
{
	for (size_t i = 0; i < list->count; i++) {
		if (is_in(&list->networks[i], address))
			return true;
	}
	return false;
}
