/*
 * famiglia_print.h - Famiglia as JSON, from views and events only.
 */
#pragma once

#include "base/json_out.h"
#include "famiglia/famiglia_view.h"

/* The members of the view that are Famiglia's, and of its "you". */
void famiglia_print_view(const struct famiglia_view *view,
                         struct json_out *out);
void famiglia_print_you(const struct famiglia_view *view, struct json_out *out);

/* The elements of "legal_actions"; their paths continue game_path. */
void famiglia_print_legal(const struct famiglia_view *view,
                          const char *game_path, struct json_out *out);

/* The members of a hand; false if the viewer may not see it. */
bool famiglia_print_hand(const struct famiglia_view *view, unsigned seat,
                         struct json_out *out);

/* The rows of the events, by type; all may see all of them. */
extern const struct event_row famiglia_print_events[EVENT_TYPES_MAX];

/* The families, as reference data: code, letter, cards; text by the caller. */
void famiglia_print_family(enum family family, struct json_out *out);
