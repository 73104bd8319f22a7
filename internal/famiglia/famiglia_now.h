/*
 * famiglia_now.h - where a game stands, for those whose action does not fit.
 */
#pragma once

#include "base/err.h"
#include "famiglia/famiglia_view.h"
#include "table/now.h"

/* See struct ruleset. */
void famiglia_now(const struct famiglia_view *view, enum err err,
                  struct now *now);
