/*
 * Each proxy appends to X-Forwarded-For the address that it was called from.
 * The field is read from its end for as long as the address so far is a trusted
 * proxy's; so a client cannot make up its address by sending a field of its
 * own.  A list of addresses and networks is an array of prefixes; IPv4 is
 * mapped into IPv6, so there is one comparison for both.
 */
#include "http/address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/memory.h"

enum { SITE_SIZE = 6, V4_AT = 12, BITS = 128, V4_BITS = 32, TEXT_MAX = 64 };

static const char between[] = " \t,";
static const uint8_t v4_prefix[V4_AT] = { [10] = 0xff, [11] = 0xff };

struct network {
	uint8_t address[HTTP_ADDRESS_SIZE];
	unsigned bits; /* that count */
};

struct address_list {
	size_t count;
	struct network networks[];
};

static bool is_v4(const uint8_t address[HTTP_ADDRESS_SIZE])
{
	return memcmp(address, v4_prefix, V4_AT) == 0;
}

static void map_v4(const void *from, uint8_t into[HTTP_ADDRESS_SIZE])
{
	memcpy(into, v4_prefix, V4_AT);
	memcpy(into + V4_AT, from, HTTP_ADDRESS_SIZE - V4_AT);
}

void address_of(const struct sockaddr *from, uint8_t into[HTTP_ADDRESS_SIZE])
{
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;

	memset(into, 0, HTTP_ADDRESS_SIZE);
	if (from->sa_family == AF_INET) {
		memcpy(&v4, from, sizeof(v4));
		map_v4(&v4.sin_addr, into);
	} else if (from->sa_family == AF_INET6) {
		memcpy(&v6, from, sizeof(v6));
		memcpy(into, &v6.sin6_addr, HTTP_ADDRESS_SIZE);
	}
}

static bool parse(const char *text, size_t len, uint8_t into[HTTP_ADDRESS_SIZE])
{
	char copy[TEXT_MAX];
	uint8_t v4[HTTP_ADDRESS_SIZE - V4_AT];

	if (len == 0 || len >= sizeof(copy))
		return false;
	memcpy(copy, text, len);
	copy[len] = '\0';
	if (inet_pton(AF_INET, copy, v4) == 1) {
		map_v4(v4, into);
		return true;
	}
	return inet_pton(AF_INET6, copy, into) == 1;
}

/* "10.0.0.0/8" */
static bool parse_network(const char *text, size_t len, struct network *network)
{
	const char *slash = memchr(text, '/', len);
	size_t address_len = slash ? (size_t)(slash - text) : len;

	if (!parse(text, address_len, network->address))
		return false;
	network->bits = BITS;
	if (!slash)
		return true;
	size_t digits = strspn(slash + 1, "0123456789");
	unsigned most = is_v4(network->address) ? V4_BITS : BITS;
	unsigned long bits = strtoul(slash + 1, NULL, 10);
	if (digits == 0 || slash + 1 + digits != text + len || bits > most)
		return false;
	network->bits = BITS - most + (unsigned)bits;
	return true;
}

struct address_list *address_list_open(const char *text)
{
	struct address_list *list =
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

void address_list_close(struct address_list *list)
{
	free(list);
}

bool http_proxies_are_valid(const char *proxies)
{
	struct address_list *list = address_list_open(proxies);

	address_list_close(list);
	return list != NULL;
}

static bool is_in(const struct network *network,
                  const uint8_t address[HTTP_ADDRESS_SIZE])
{
	size_t whole = network->bits / 8;
	unsigned rest = network->bits % 8;

	if (memcmp(network->address, address, whole) != 0)
		return false;
	return rest == 0 ||
	       (network->address[whole] ^ address[whole]) >> (8 - rest) == 0;
}

bool address_is_listed(const struct address_list *list,
                       const uint8_t address[HTTP_ADDRESS_SIZE])
{
	for (size_t i = 0; i < list->count; i++) {
		if (is_in(&list->networks[i], address))
			return true;
	}
	return false;
}

/* "192.0.2.1", "192.0.2.1:80", "2001:db8::1" or "[2001:db8::1]:80". */
static bool parse_forwarded(const char *text, size_t len,
                            uint8_t into[HTTP_ADDRESS_SIZE])
{
	const char *colon = memchr(text, ':', len);
	const char *bracket = memchr(text, ']', len);

	if (len > 0 && text[0] == '[')
		return bracket &&
		       (bracket + 1 == text + len || bracket[1] == ':') &&
		       parse(text + 1, (size_t)(bracket - text) - 1, into);
	/* A single colon separates a port; IPv6 has more. */
	if (colon && !memchr(colon + 1, ':', (size_t)(text + len - colon) - 1))
		len = (size_t)(colon - text);
	return parse(text, len, into);
}

void address_follow(const struct address_list *trusted, const char *forwarded,
                    uint8_t address[HTTP_ADDRESS_SIZE])
{
	size_t end = forwarded ? strlen(forwarded) : 0;

	while (end > 0 && address_is_listed(trusted, address)) {
		uint8_t next[HTTP_ADDRESS_SIZE];
		size_t start;

		while (end > 0 && strchr(between, forwarded[end - 1]))
			end--;
		start = end;
		while (start > 0 && !strchr(between, forwarded[start - 1]))
			start--;
		if (!parse_forwarded(forwarded + start, end - start, next))
			return;
		memcpy(address, next, sizeof(next));
		end = start;
	}
}

size_t http_site_size(const uint8_t address[HTTP_ADDRESS_SIZE])
{
	return is_v4(address) ? HTTP_ADDRESS_SIZE : SITE_SIZE;
}

void address_count_as(uint8_t address[HTTP_ADDRESS_SIZE])
{
	if (!is_v4(address))
		memset(address + HTTP_ADDRESS_SIZE / 2, 0,
		       HTTP_ADDRESS_SIZE / 2);
}
