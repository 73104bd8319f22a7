/*
 * clock.h - the time.  The rules never see it: they are pure.
 */
#pragma once

#include <stdint.h>

enum { CLOCK_TEXT_LEN = 27 }; /* 2026-01-31T12:00:00.123456Z */

#define CLOCK_NS_PER_MS UINT64_C(1000000)
#define CLOCK_NS_PER_S  UINT64_C(1000000000)
#define CLOCK_US_PER_S  INT64_C(1000000)

/* Nanoseconds that never go back; for deadlines and durations. */
uint64_t clock_monotonic_ns(void);

/* Microseconds since 1970, UTC. */
int64_t clock_wall_us(void);

/*
 * Print microseconds since 1970 as RFC 3339 in UTC with six decimals, and a
 * zero byte.
 */
void clock_print(int64_t wall_us, char text[CLOCK_TEXT_LEN + 1]);
