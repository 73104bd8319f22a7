/*
 * stall.c - a stall is a gap between two ticks that is longer than the loop
 * meant to wait, by more than scheduling explains.  Shorter delays are normal
 * and are not counted.
 */
#include "loop/stall.h"

#include "base/clock.h"

static const uint64_t stall_least_ns = 100 * CLOCK_NS_PER_MS;

static uint64_t late_ns(const struct stall *stall, uint64_t now_ns,
                        uint64_t waited_ns)
{
	uint64_t taken_ns = now_ns - stall->ticked_ns;

	if (!stall->ticked_ns || taken_ns <= waited_ns + stall_least_ns)
		return 0;
	return taken_ns - waited_ns;
}

void stall_tick(struct stall *stall, unsigned waited_ms)
{
	uint64_t now_ns = clock_monotonic_ns();

	stall->total_ns += late_ns(stall, now_ns, waited_ms * CLOCK_NS_PER_MS);
	stall->ticked_ns = now_ns;
}

uint64_t stall_total_ns(const struct stall *stall)
{
	return stall->total_ns + late_ns(stall, clock_monotonic_ns(), 0);
}
