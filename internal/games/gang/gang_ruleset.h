/*
 * gang_ruleset.h - The Gang as a struct ruleset.
 */
#pragma once

#include "table/ruleset.h"

enum { GANG_RULESET_NUMBER = 1 };

/* Its state is a struct gang, its view a struct gang_view. */
extern const struct ruleset gang_ruleset;
