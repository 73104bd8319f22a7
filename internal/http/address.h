/*
 * address.h - the address that a request counts for.
 *
 * An address is 16 bytes, an IPv4 one as IPv6 maps it.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "http/http.h"

struct network_list;

/*
 * Turn the address of a connection into that of the client that uses trusted
 * proxies, by an X-Forwarded-For field (or NULL).  A name in it that cannot be
 * read ends the search: the address is the last one that could.
 */
void address_follow(const struct network_list *trusted, const char *forwarded,
                    uint8_t address[HTTP_ADDRESS_SIZE]);

/*
 * Turn an address into the one that quotas count: a client with one address of
 * IPv6 has a whole network, whose first 64 bits are the same.
 */
void address_count_as(uint8_t address[HTTP_ADDRESS_SIZE]);
