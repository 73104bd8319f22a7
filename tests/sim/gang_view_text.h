/*
 * gang_view_text.h - a view as text, for the simulation and for fuzzing.
 */
#pragma once

#include "base/json_out.h"
#include "games/gang/gang_ruleset.h"
#include "games/gang/rules/gang_view.h"

/* The game's path in the legal actions. */
#define VIEW_TEXT_PATH "/v1/games/x"

/*
 * All that a view is printed to, as the service does, without what belongs to
 * the table.  Its length; 0 if there was no room for it.
 */
size_t view_text(const struct gang_view *view, char *text, size_t size);
