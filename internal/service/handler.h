/*
 * handler.h - the decoders and encoders of the routes.
 */
#ifndef SERVICE_HANDLER_H
#define SERVICE_HANDLER_H

#include "service/call.h"

/* Every function that routes.def names. */
#define ROUTE(method, path, body, queries, media, guard, shape, rules, dec, \
              enc)                                                          \
	decode_fn dec;                                                      \
	encode_fn enc;
#include "service/routes.def"

#endif
