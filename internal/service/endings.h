/*
 * endings.h - counts the games, and parts of them, that ended, by how they did.
 */
#pragma once

#include "service/call.h"

/* Name the outcomes for metrics; before any is counted. */
void endings_name(void);

/* Count those that a committed change has ended; before response_committed().
 */
void endings_count(const struct call *call);
