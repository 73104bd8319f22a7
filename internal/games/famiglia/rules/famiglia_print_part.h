/*
 * famiglia_print_part.h - the pieces of JSON that views, events and legal
 * actions share.
 */
#pragma once

#include "base/json_out.h"
#include "games/famiglia/rules/score.h"

/* One gangster, or null for none; and the gangsters of a list or a set. */
void famiglia_print_gangster(const char *name, unsigned gangster,
                             struct json_out *out);
void famiglia_print_gangsters(const char *name, const uint8_t *gangsters,
                              unsigned count, struct json_out *out);
void famiglia_print_gangster_set(const char *name, uint64_t set,
                                 struct json_out *out);

/* "result": how the game ended; null while it is open. */
void famiglia_print_result(const struct result *result, struct json_out *out);
