/*
 * famiglia_ruleset.h - Famiglia, behind the seam of table/ruleset.h.
 */
#pragma once

#include "table/ruleset.h"

enum { FAMIGLIA_RULESET_NUMBER = 2 };

/* Its state is a struct famiglia, its view a struct famiglia_view. */
extern const struct ruleset famiglia_ruleset;
