/*
 * commits.h - whether commits come back, for all stores of the process.
 *
 * A commit under synchronous replication waits for a standby, and without one
 * it waits for ever: nothing may cancel it, and the server keeps its session
 * although the client has closed the connection.  So a store that waits for a
 * few such commits has all stores refuse further ones, until a probe, a commit
 * that changes nothing, has come back.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* A store is opened, or closed: the last one that is closed forgets all. */
void commits_open(void);
void commits_close(void);

/* True while statements that change something are not to be sent. */
bool commits_are_refused(void);

/*
 * A store's connections have so many commits that were not answered in time, of
 * most that it may have under way; is_probe: the probe is one of them.
 */
void commits_note_overdue(unsigned overdue, unsigned most, bool is_probe);

/* One of those was answered after all: a probe may find out more now. */
void commits_note_late_answer(void);

/*
 * True if the caller is to send a probe, at most one of all stores at a time;
 * then it ends the probe.
 */
bool commits_begin_probe(uint64_t now_ns);

/* The probe that was sent then has been committed, or its connection is lost.
 */
void commits_end_probe(uint64_t sent_ns, bool is_committed);

/*
 * When the last probe that was committed was sent, and when its answer came
 * (monotonic); 0: none was.
 */
uint64_t commits_proven_ns(void);
uint64_t commits_answered_ns(void);
