/*
 * stall.h - time in which the loop should have run and did not.
 *
 * The process was stopped, or had no processor, perhaps in the middle of a
 * request.  Deadlines are extended by it.
 */
#pragma once

#include <stdint.h>

/* Zeroed at first. */
struct stall {
	uint64_t ticked_ns; /* when stall_tick() was called last; 0: never */
	uint64_t total_ns;  /* of all stalls before that */
};

/*
 * To be called before and after each wait of the loop.  waited_ms is the
 * longest time that the loop meant to wait since the last call, 0 if it was
 * running.
 */
void stall_tick(struct stall *stall, unsigned waited_ms);

/* All stalls so far, including one that still lasts. */
uint64_t stall_total_ns(const struct stall *stall);
