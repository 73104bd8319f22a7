/*
 * macros.h - macros that every folder may use.
 */
#pragma once

#include <stddef.h>

/* The compiler warns if the caller ignores the result. */
#define MUST_CHECK __attribute__((warn_unused_result))

/* The number of elements of an array, a size_t; not for pointers. */
#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))
