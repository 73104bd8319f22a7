/*
 * deadline.c - until when to wait.
 *
 * Deadlines are checked when the loop runs the store.  A loop that runs sees
 * a deadline pass within a few milliseconds.  One that sees it much later did
 * not run in between: its machine was stopped, or had no processor for it. Then
 * the time that has passed says nothing about the database, and the deadline
 * starts once more.  Only once: a loop that is late again and again must give
 * up too.
 */
#include "store/deadline.h"

enum { LATE_PERCENT = 10 /* of the time given: a loop that runs is sooner */ };

struct deadline deadline_make(uint64_t now_ns, uint64_t given_ns,
                              uint64_t latest_ns)
{
	uint64_t at_ns = now_ns + given_ns;

	return (struct deadline){
		.at_ns = at_ns < latest_ns ? at_ns : latest_ns,
		.latest_ns = latest_ns,
	};
}

bool deadline_has_passed(const struct deadline *deadline, uint64_t now_ns)
{
	return deadline->at_ns <= now_ns;
}

bool deadline_renew(struct deadline *deadline, uint64_t now_ns,
                    uint64_t given_ns)
{
	uint64_t at_ns = now_ns + given_ns;
	bool loop_was_late =
		now_ns - deadline->at_ns > given_ns * LATE_PERCENT / 100;

	if (at_ns > deadline->latest_ns && !loop_was_late)
		at_ns = deadline->latest_ns;
	if (deadline->is_renewed || at_ns <= now_ns)
		return false;
	deadline->is_renewed = true;
	deadline->at_ns = at_ns;
	return true;
}
