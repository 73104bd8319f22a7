/*
 * pace.h - how long moves wait to be sent together.
 *
 * Gathered with others a move costs the server less, and one flush of the log
 * commits all of them.  The store of a loop has one pace; times are monotonic.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Zeroed at first. */
struct pace {
	uint64_t sent_ns; /* when the last commit was sent */
	bool waits;       /* the moves in the queue wait for it to be old */
	unsigned in_vain; /* waits in a row for which no other move came */
	unsigned skips;   /* commits that do not wait for the last one's age */
};

/*
 * Until when so many queued moves wait; in the past: they do not.  The first of
 * them was queued at queued_ns, and the newest commit that is under way was
 * sent at under_way_ns; 0: none is.
 */
uint64_t pace_until_ns(struct pace *pace, unsigned moves, uint64_t queued_ns,
                       uint64_t under_way_ns, uint64_t now_ns);

/* A commit of so many moves was sent. */
void pace_note_commit(struct pace *pace, unsigned moves, uint64_t now_ns);
