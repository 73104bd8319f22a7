/*
 * network.h - addresses of IP, and lists of addresses and networks.
 *
 * An address has 16 bytes; IPv4 is mapped into IPv6 (::ffff:192.0.2.1).  A list
 * has blanks, tabs or commas between its members.  A member is an address, or a
 * network such as 10.0.0.0/8 or fd00::/8: the number of bits has no leading
 * zero, and is 96 to 128 for a network in the mapped form.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/macros.h"

enum { NETWORK_ADDRESS_SIZE = 16 };

struct sockaddr;
struct network_list;

/* The address of a socket's other end; zeros if its family is not IP. */
void network_address_of(const struct sockaddr *from,
                        uint8_t into[NETWORK_ADDRESS_SIZE]);

/* Read an address; false, and into undefined, if it is malformed. */
MUST_CHECK bool network_address_parse(const char *text, size_t len,
                                      uint8_t into[NETWORK_ADDRESS_SIZE]);

/* True for an address of IPv4, in either form. */
bool network_address_is_v4(const uint8_t address[NETWORK_ADDRESS_SIZE]);

/*
 * Read a list, which may be empty.  NULL if a member is malformed.  The caller
 * closes it.
 */
struct network_list *network_list_open(const char *text);
void network_list_close(struct network_list *list); /* NULL is fine */

MUST_CHECK bool network_list_is_valid(const char *text);

/* True if the address is a member, or in a network that is one. */
bool network_list_has(const struct network_list *list,
                      const uint8_t address[NETWORK_ADDRESS_SIZE]);
