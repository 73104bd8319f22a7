/*
 * response.h - the reply to a request that was not refused.
 */
#pragma once

#include "service/call.h"

/* Set the ETag of the caller's view of call->game. */
void response_set_etag(struct call *call);

/*
 * call->decided was committed at this time (microseconds since 1970): from now
 * on it is call->game.
 */
void response_committed(struct call *call, int64_t at_us);

/* Make the reply: by the route's encoder, or a 304. */
MUST_CHECK enum err response_encode(struct call *call);
void response_not_modified(struct call *call);
