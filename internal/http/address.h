/*
 * address.h - whose request it is, by the address it comes from.
 *
 * An address is 16 bytes, an IPv4 one as IPv6 maps it.  Of a client behind a
 * proxy that is trusted, it is the last one that such a proxy names in
 * X-Forwarded-For and that is no trusted proxy's itself.
 *
 * Private to this folder.
 */
#ifndef HTTP_ADDRESS_H
#define HTTP_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "http/http.h"

struct sockaddr;

/* The address of a socket's other end; zero of a family we do not know. */
void address_of(const struct sockaddr *from, uint8_t into[HTTP_ADDRESS_SIZE]);

/*
 * Read addresses and networks such as 10.0.0.0/8 or ::1, with commas or blanks
 * between.  NULL, if one is neither.
 */
struct address_list *address_list_open(const char *text);
void address_list_close(struct address_list *list); /* NULL is fine */

/* Is it one of them? */
bool address_is_listed(const struct address_list *list,
                       const uint8_t address[HTTP_ADDRESS_SIZE]);

/*
 * Change the address of a connection into the one of who asks.  What cannot be
 * read, or is not there (NULL), leaves it with who was the last to be known.
 */
void address_follow(const struct address_list *trusted, const char *forwarded,
                    uint8_t address[HTTP_ADDRESS_SIZE]);

/*
 * What an address is counted by: who has one of IPv6 has a whole network of
 * 64 bits.
 */
void address_count_as(uint8_t address[HTTP_ADDRESS_SIZE]);

#endif
