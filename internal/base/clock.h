/*
 * clock.h - the time.  The rules do not use it: they are pure.
 */
#pragma once

#include <stdint.h>

enum { CLOCK_TEXT_LEN = 27 }; /* 2026-01-31T12:00:00.123456Z */

#define CLOCK_NS_PER_MS UINT64_C(1000000)
#define CLOCK_NS_PER_S  UINT64_C(1000000000)
#define CLOCK_US_PER_S  INT64_C(1000000)

/* Nanoseconds of a clock that never goes back: for deadlines and durations. */
uint64_t clock_monotonic_ns(void);

/* Microseconds since 1970, UTC. */
int64_t clock_wall_us(void);

/* Print microseconds since 1970, UTC, years 0 to 9999, as RFC 3339. */
void clock_print(int64_t wall_us, char text[CLOCK_TEXT_LEN + 1]);
