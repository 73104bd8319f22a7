/*
 * keep.h - decide what a request changes, and keep it; decided anew when
 * another change came first.
 */
#ifndef LOOP_COMMIT_H
#define LOOP_COMMIT_H

#include "service/call.h"

/* Of a game that is not there yet. */
void commit_creation(struct call *call);

/* Of one that was loaded. */
void commit_move(struct call *call);
void commit_rematch(struct call *call);
void commit_leaving(struct call *call);
void commit_deletion(struct call *call);

#endif
