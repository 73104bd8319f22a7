/*
 * pace.c - statements wait for two reasons.  Moves wait for a commit that is
 * under way: it comes back soon, and until then they would only share the disk.
 * And all wait if the last ones were sent a moment ago: many players play, and
 * others will ask in the next moment.
 *
 * A client that plays alone, and asks each time when it is answered, would wait
 * for nobody.  So after a wait for which no other statement came, the next one
 * does not wait, after two such waits in a row the next three, and so on up to
 * SKIPS_MAX.
 */
#include "store/pace.h"

#include "base/clock.h"

enum { SKIPS_MAX = 63 };

/* A locked or slow commit holds nobody up for longer. */
static const uint64_t under_way_most_ns = 3 * CLOCK_NS_PER_MS;

uint64_t pace_until_ns(struct pace *pace, unsigned count, uint64_t queued_ns,
                       uint64_t under_way_ns, uint64_t now_ns)
{
	uint64_t since_ns = queued_ns < under_way_ns ? queued_ns : under_way_ns;
	uint64_t until_ns = under_way_ns ? since_ns + under_way_most_ns : 0;
	bool may_wait = pace->skips == 0 && count < PACE_ENOUGH;
	uint64_t apart_until_ns = may_wait ? pace->sent_ns + pace->apart_ns : 0;

	if (apart_until_ns > now_ns && apart_until_ns > until_ns) {
		pace->waits = true;
		return apart_until_ns;
	}
	return until_ns;
}

void pace_note_sent(struct pace *pace, unsigned count, uint64_t now_ns)
{
	if (count > 1)
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
