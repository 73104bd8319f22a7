/*
 * keep.h - decide what a request changes, and keep it; decided anew when
 * another change came first.
 */
#ifndef LOOP_KEEP_H
#define LOOP_KEEP_H

#include "service/call.h"

/* Of a game that is not there yet. */
void keep_creation(struct call *call);

/* Of one that was loaded. */
void keep_move(struct call *call);
void keep_rematch(struct call *call);
void keep_leaving(struct call *call);
void keep_deletion(struct call *call);

#endif
