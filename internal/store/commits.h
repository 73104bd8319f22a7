/*
 * commits.h - whether commits come back, for all stores of the process.
 *
 * A commit under synchronous replication waits for a standby, and without one
 * it waits for ever: nothing may cancel it, and the server keeps its session
 * although the client has closed the connection.  So when a few such commits
 * are waited for, or all that there may be, all stores hold further ones back
 * until a probe, a commit that changes nothing, is answered.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* A store is opened, or closed: the last one that is closed forgets all. */
void commits_open(void);
void commits_close(void);

/* True while statements that change something are held: not to be sent. */
bool commits_are_held(void);

/* A store's part of the sums over all stores. */
struct commits_share {
	unsigned overdue; /* commits that were not answered in time */
	unsigned most;    /* that it may have under way */
};

/*
 * Replace what the store has reported before, and set *reported to it;
 * is_probe: the probe is one of the overdue commits.
 */
void commits_report(struct commits_share *reported,
                    struct commits_share present, bool is_probe);

/* True while commits of any store are overdue, so that a probe is useful. */
bool commits_are_overdue(void);

/* An overdue commit was answered: another probe may begin. */
void commits_note_late_answer(void);

/*
 * True if the caller is to send a probe, at most one of all stores at a time;
 * then it ends the probe.
 */
bool commits_begin_probe(uint64_t now_ns);

/* How a probe ended. */
enum commits_end {
	COMMITS_BACK,    /* it was committed */
	COMMITS_ERROR,   /* the server refused it: it waits for no standby */
	COMMITS_UNKNOWN, /* its connection is lost */
};

/* The probe that was sent then has ended. */
void commits_end_probe(uint64_t sent_ns, enum commits_end end);

/*
 * When the last probe that was committed was sent, and when one was last
 * answered (monotonic); 0: no commit was.
 */
uint64_t commits_proven_ns(void);
uint64_t commits_answered_ns(void);
