/*
 * The pause doubles with each failure, up to an hour.
 */
#include "push/schedule.h"

enum { SHIFT_MAX = 12, LONGEST_MS = 60 * 60 * 1000, S_MS = 1000 };

uint32_t schedule_next_ms(unsigned failed, uint32_t retry_after_s,
                          uint32_t random)
{
	unsigned shift = failed < SHIFT_MAX ? failed : SHIFT_MAX;
	uint32_t pause_ms = (uint32_t)S_MS << shift;
	uint32_t asked_ms = retry_after_s < LONGEST_MS / S_MS
	                            ? retry_after_s * S_MS
	                            : LONGEST_MS;

	if (pause_ms > LONGEST_MS)
		pause_ms = LONGEST_MS;
	pause_ms += random % (pause_ms / 2);
	return pause_ms > asked_ms ? pause_ms : asked_ms;
}
