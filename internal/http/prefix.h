/*
 * prefix.h - the path below which a proxy serves this service to its clients.
 */
#pragma once

#include "http/http.h"

/*
 * The prefix of an X-Forwarded-Prefix field (or NULL) of a trusted proxy, such
 * as "/gang", in the arena; "" if there is none, or if it is not one.
 */
const char *prefix_read(struct arena *arena, const char *field);
