/*
 * gang_legal_json.h - the legal actions of The Gang, as a client reads them.
 */
#pragma once

#include "games/gang/rules/gang_view.h"
#include "json_read.h"

/*
 * Check that the JSON of legal actions allows each move that the view lists
 * once, and nothing else.  Their paths begin with game_path.
 */
void legal_json_check(struct json_c_object *legal, const struct gang_view *view,
                      const char *game_path);
