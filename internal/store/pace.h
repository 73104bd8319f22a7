/*
 * pace.h - how long loads, or moves, wait to be sent together.
 *
 * Gathered with others each costs the server less, and one flush of the log
 * commits all moves.  A pool of stores (gather_pool.h) has a pace for loads and
 * one for moves; times are monotonic.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { PACE_ENOUGH = 8 }; /* with more statements, each costs hardly less */

struct pace {
	uint64_t apart_ns; /* set by the owner; all others are 0 at first */
	uint64_t sent_ns;  /* when the last were sent */
	bool waits;        /* those in the queue wait for that to be old */
	unsigned in_vain;  /* waits in a row for which no other one came */
	unsigned skips;    /* times that do not wait for the last ones' age */
};

/*
 * Until when so many queued statements wait; in the past: they do not.  The
 * first of them was queued at queued_ns, and the newest commit that they wait
 * for was sent at under_way_ns; 0: there is none.
 */
uint64_t pace_until_ns(struct pace *pace, unsigned count, uint64_t queued_ns,
                       uint64_t under_way_ns, uint64_t now_ns);

/* So many statements were sent together. */
void pace_note_sent(struct pace *pace, unsigned count, uint64_t now_ns);
