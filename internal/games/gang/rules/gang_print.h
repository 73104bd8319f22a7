/*
 * gang_print.h - The Gang as JSON, from views and events only.
 */
#pragma once

#include "base/json_out.h"
#include "games/gang/rules/gang_view.h"

/* See struct ruleset.  All are printed from a struct gang_view. */
void gang_print_view(const void *from, struct json_out *out);
void gang_print_you(const void *from, struct json_out *out);
void gang_print_legal(const void *from, const char *game_path,
                      struct json_out *out);
bool gang_print_hand(const void *from, unsigned seat, struct json_out *out);
extern const struct event_row gang_print_events[EVENT_TYPES_MAX];

/* "succeeded"; NULL of a heist that is not over. */
const char *gang_outcome_code(unsigned outcome);

/* The members of a showdown, and a heist that is over. */
void gang_print_showdown(const struct showdown *showdown, struct json_out *out);
void gang_print_summary(const struct summary *summary, struct json_out *out);
