/*
 * plan.h - what each request goes through, step by step.
 */
#pragma once

#include "loop/step.h"

extern const struct plans plan_table;
