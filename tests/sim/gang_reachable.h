/*
 * gang_reachable.h - whether play can come to a state of The Gang.
 */
#pragma once

#include "games/gang/rules/gang.h"

/* True of a state that is valid, and whose parts fit one another. */
bool gang_reachable(const struct gang *gang);
