/*
 * famiglia_reachable.h - whether play can come to a state of Famiglia.
 */
#pragma once

#include "games/famiglia/rules/famiglia.h"

/* True of a state that is valid, and whose parts fit one another. */
bool famiglia_reachable(const struct famiglia *game);
