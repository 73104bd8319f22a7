/*
 * prefix.h - the path below which a proxy serves this service to its clients.
 */
#pragma once

#include "http/http.h"

/*
 * The prefix of an X-Forwarded-Prefix field (or NULL) of a trusted proxy, such
 * as "/gang", in the arena; "" if the field is missing or is not a prefix.
 */
const char *prefix_read(struct arena *arena, const char *field);
