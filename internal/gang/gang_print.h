/*
 * gang_print.h - The Gang as JSON, from views and events only.
 */
#pragma once

#include "base/json_out.h"
#include "gang/gang_view.h"

/* The members of the view that are The Gang's, and of its "you". */
void gang_print_view(const struct gang_view *view, struct json_out *out);
void gang_print_you(const struct gang_view *view, struct json_out *out);

/* The elements of "legal_actions"; their paths continue game_path. */
void gang_print_legal(const struct gang_view *view, const char *game_path,
                      struct json_out *out);

/*
 * The members of the hand of a seat: pocket_cards, ranking, best_five.  False
 * if the viewer may not see it.
 */
bool gang_print_hand(const struct gang_view *view, unsigned seat,
                     struct json_out *out);

/* "succeeded"; NULL of a heist that is not over. */
const char *gang_outcome_code(unsigned outcome);

/* The members of a showdown, and a heist that is over. */
void gang_print_showdown(const struct showdown *showdown, struct json_out *out);
void gang_print_summary(const struct summary *summary, struct json_out *out);

/* The rows of the events, by type. */
extern const struct event_row gang_print_events[EVENT_TYPES_MAX];
