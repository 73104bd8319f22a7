/*
 * schedule.h - when a delivery that failed is tried again.
 */
#pragma once

#include <stdint.h>

/*
 * Milliseconds until the next try, after this many failures: about 2, 4, 8 s
 * and so on up to an hour, each lengthened at random by up to a half, so that
 * deliveries that failed together are not retried together.  It is at least the
 * Retry-After in seconds (0: absent), up to an hour.
 */
uint32_t schedule_next_ms(unsigned failed, uint32_t retry_after_s,
                          uint32_t random);
