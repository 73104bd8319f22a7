/*
 * Each proxy appends to X-Forwarded-For the address that it was called from.
 * The field is read from its end for as long as the address so far is a trusted
 * proxy's; so a client cannot forge its address by sending the field itself.
 */
#include "http/address.h"

#include <string.h>

#include "base/network.h"

enum { SITE_SIZE = 6 };

static const char between[] = " \t,";

/* "192.0.2.1", "192.0.2.1:80", "2001:db8::1" or "[2001:db8::1]:80". */
static bool parse_forwarded(const char *text, size_t len,
                            uint8_t into[HTTP_ADDRESS_SIZE])
{
	const char *colon = memchr(text, ':', len);
	const char *bracket = memchr(text, ']', len);

	if (len > 0 && text[0] == '[')
		return bracket &&
		       (bracket + 1 == text + len || bracket[1] == ':') &&
		       network_address_parse(text + 1,
		                             (size_t)(bracket - text) - 1,
		                             into);
	/* A single colon separates a port; IPv6 has more. */
	if (colon && !memchr(colon + 1, ':', (size_t)(text + len - colon) - 1))
		len = (size_t)(colon - text);
	return network_address_parse(text, len, into);
}

void address_follow(const struct network_list *trusted, const char *forwarded,
                    uint8_t address[HTTP_ADDRESS_SIZE])
{
	size_t end = forwarded ? strlen(forwarded) : 0;

	while (end > 0 && network_list_has(trusted, address)) {
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
	return network_address_is_v4(address) ? HTTP_ADDRESS_SIZE : SITE_SIZE;
}

void address_count_as(uint8_t address[HTTP_ADDRESS_SIZE])
{
	if (!network_address_is_v4(address))
		memset(address + HTTP_ADDRESS_SIZE / 2, 0,
		       HTTP_ADDRESS_SIZE / 2);
}
