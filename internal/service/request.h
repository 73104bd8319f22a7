/*
 * request.h - decodes an HTTP request into call->wanted.
 */
#pragma once

#include "service/call.h"

/*
 * Begin a call, zeroed at first, whose route is known: read its path, which
 * HTTP has checked.
 */
void request_open(struct call *call, struct http_request *req);

/*
 * Read the token, if the guard needs one: ERR_UNAUTHENTICATED without one,
 * ERR_INVALID_TOKEN for one that cannot be a token.
 */
MUST_CHECK enum err request_read_token(struct call *call);

/* Read the rest: header, query and body.  ERR_INVALID with all faults. */
MUST_CHECK enum err request_decode(struct call *call);
