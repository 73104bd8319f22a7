/*
 * gang_now.h - the "now" of a refusal: round, phase and a sentence.
 */
#pragma once

#include "base/err.h"
#include "games/gang/rules/gang_view.h"
#include "table/now.h"

/* See struct ruleset.  Read from a struct gang_view. */
void gang_now(const void *from, const struct action *action, enum err err,
              struct now *now);

/* The code of an enum phase: "chips"; static. */
const char *gang_phase_code(unsigned phase);
