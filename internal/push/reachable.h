/*
 * reachable.h - the addresses that Web Push is sent to.  A name can resolve to
 * any address, so the address of each connection is judged.
 */
#pragma once

#include <stdbool.h>

#include "base/macros.h"

struct sockaddr;

/*
 * True if the address is one of the public internet, or in the list: addresses
 * and networks such as 10.0.0.0/8 or ::1, separated by commas.
 */
bool reachable_is_allowed(const struct sockaddr *address, const char *list);

/* The same of an address in numbers; any other text is not allowed. */
bool reachable_is_allowed_text(const char *address, const char *list);

/* True if the list can be read. */
MUST_CHECK bool reachable_is_list(const char *list);
