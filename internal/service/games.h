/*
 * games.h - prints a game's view, and its path.
 */
#pragma once

#include "base/json_out.h"
#include "service/call.h"

/* Print the caller's view of the game as one value. */
void games_print(struct call *call, struct json_out *out);

/*
 * Begin a tick of the thread: requests of one tick that see the same view, by
 * its entity-tag, are answered with the same text.
 */
void games_forget_views(void);

/* The path of the game, and of another one by its id; in the arena. */
const char *games_path(struct call *call);
const char *games_path_of(struct call *call, const char *id);
