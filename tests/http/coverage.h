/*
 * coverage.h - which routes have answered and which problems were met.
 */
#ifndef COVERAGE_H
#define COVERAGE_H

#include <stdbool.h>

#include "story.h"

void coverage_note(const struct exchange *exchange);

/* Print what was never seen; true when nothing is missing that should be. */
bool coverage_report(void);

#endif
