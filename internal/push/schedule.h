/*
 * schedule.h - when a delivery that failed is tried again.
 */
#pragma once

#include <stdint.h>

/*
 * Milliseconds until the next try, after so many that failed: about 2, 4, 8 s
 * and so on up to an hour, each made longer by up to a half by random, so that
 * those which failed together do not come together.  A Retry-After of seconds
 * (0: none) makes it no shorter than that, up to an hour.
 */
uint32_t schedule_next_ms(unsigned failed, uint32_t retry_after_s,
                          uint32_t random);
