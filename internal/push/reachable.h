/*
 * reachable.h - the addresses that Web Push is sent to.  A name can resolve to
 * any address, so the address of each connection is checked.
 */
#pragma once

#include <stdbool.h>

struct sockaddr;

/*
 * True if the address is one of the public internet, or in the list, which is
 * valid (base/network.h).
 */
bool reachable_is_allowed(const struct sockaddr *address, const char *list);

/* The same for the text of an address; false for any other text. */
bool reachable_is_allowed_text(const char *address, const char *list);
