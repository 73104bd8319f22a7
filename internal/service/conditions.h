/*
 * conditions.h - If-Match and If-None-Match of a request about a game.
 */
#pragma once

#include "service/call.h"

/*
 * A condition that cannot be read, or can never hold, is a fault of the
 * request: the move was meant for one version and must not be decided against
 * another.
 */
void conditions_read(struct call *call);

/*
 * ERR_VERSION_MISMATCH if the game is not at the version that a change was
 * meant for, or if it still is at the one that If-None-Match excludes.
 */
MUST_CHECK enum err conditions_check(struct call *call);

/* True if If-None-Match of a GET names the present view: the reply is a 304. */
bool conditions_are_unchanged(const struct call *call);
