/*
 * handler.h - the decoders and encoders of the routes of every game.
 */
#pragma once

#include "service/call.h"

/* Every function that routes.def names. */
#define ROUTE(method, path, body, queries, media, guard, shape, verb, dec, \
              enc)                                                         \
	decode_fn dec;                                                     \
	encode_fn enc;
#include "service/routes.def"
