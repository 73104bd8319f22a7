/*
 * address.h - the address that a request counts for.
 *
 * An address is 16 bytes, an IPv4 one as IPv6 maps it.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "http/http.h"

struct sockaddr;

/* The address of a socket's other end; zeros if it is neither of IP. */
void address_of(const struct sockaddr *from, uint8_t into[HTTP_ADDRESS_SIZE]);

/*
 * Read addresses and networks such as 10.0.0.0/8 or ::1, with commas or blanks
 * between.  NULL if one is malformed.
 */
struct address_list *address_list_open(const char *text);
void address_list_close(struct address_list *list); /* NULL is fine */

/* Is the address in the list, or in a network of it? */
bool address_is_listed(const struct address_list *list,
                       const uint8_t address[HTTP_ADDRESS_SIZE]);

/*
 * Turn the address of a connection into that of the client behind trusted
 * proxies, by an X-Forwarded-For field (or NULL).  A name in it that cannot be
 * read ends the search: the address is the last one that could.
 */
void address_follow(const struct address_list *trusted, const char *forwarded,
                    uint8_t address[HTTP_ADDRESS_SIZE]);

/*
 * Turn an address into the one that quotas count: a client with one address of
 * IPv6 has a whole network, whose first 64 bits are the same.
 */
void address_count_as(uint8_t address[HTTP_ADDRESS_SIZE]);
