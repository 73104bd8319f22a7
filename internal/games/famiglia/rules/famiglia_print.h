/*
 * famiglia_print.h - Famiglia as JSON, from views and events only.
 */
#pragma once

#include "base/json_out.h"
#include "games/famiglia/rules/famiglia_view.h"

/* See struct ruleset.  All are printed from a struct famiglia_view. */
void famiglia_print_view(const void *from, struct json_out *out);
void famiglia_print_you(const void *from, struct json_out *out);
void famiglia_print_legal(const void *from, const char *game_path,
                          struct json_out *out);
bool famiglia_print_hand(const void *from, unsigned seat, struct json_out *out);
extern const struct event_row famiglia_print_events[EVENT_TYPES_MAX];

/* The families, as reference data: code, letter, cards; text by the caller. */
void famiglia_print_family(enum family family, struct json_out *out);
