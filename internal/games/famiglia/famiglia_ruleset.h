/*
 * famiglia_ruleset.h - Famiglia as a struct ruleset.
 */
#pragma once

#include "table/ruleset.h"

enum { FAMIGLIA_RULESET_NUMBER = 2 };

/* Its state is a struct famiglia, its view a struct famiglia_view. */
extern const struct ruleset famiglia_ruleset;
