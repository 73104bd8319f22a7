/*
 * pace.c - moves wait for two reasons.  A commit is under way: it comes back
 * soon, and until then it would only share the disk.  Or the last commit was
 * sent a moment ago: many players move, and others will in the next moment.
 *
 * A client that moves alone, each time when its last move is answered, would
 * wait for nobody.  So after a wait for which no other move came, the next
 * commit does not wait, after two in a row the next three, and so on up to
 * SKIPS_MAX.
 */
#include "store/pace.h"

#include "base/clock.h"

enum {
	SKIPS_MAX = 63,
	ENOUGH = 8, /* with more moves, each costs hardly less */
};

/* A locked or slow commit holds nobody up for longer. */
static const uint64_t under_way_most_ns = 3 * CLOCK_NS_PER_MS;

/* Between two commits of a loop. */
static const uint64_t apart_ns = 2 * CLOCK_NS_PER_MS;

uint64_t pace_until_ns(struct pace *pace, unsigned moves, uint64_t queued_ns,
                       uint64_t under_way_ns, uint64_t now_ns)
{
	uint64_t since_ns = queued_ns < under_way_ns ? queued_ns : under_way_ns;
	uint64_t until_ns = under_way_ns ? since_ns + under_way_most_ns : 0;
	bool may_wait = pace->skips == 0 && moves < ENOUGH;
	uint64_t apart_until_ns = may_wait ? pace->sent_ns + apart_ns : 0;

	if (apart_until_ns > now_ns && apart_until_ns > until_ns) {
		pace->waits = true;
		return apart_until_ns;
	}
	return until_ns;
}

void pace_note_commit(struct pace *pace, unsigned moves, uint64_t now_ns)
{
	if (moves > 1)
		pace->in_vain = 0;
	else if (pace->waits)
		pace->in_vain = pace->in_vain < SKIPS_MAX
		                        ? 2 * pace->in_vain + 1
		                        : SKIPS_MAX;
	if (pace->waits)
		pace->skips = pace->in_vain;
	else if (pace->skips > 0)
		pace->skips--;
	pace->waits = false;
	pace->sent_ns = now_ns;
}
