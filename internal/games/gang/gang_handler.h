/*
 * gang_handler.h - the decoders and encoders of the routes of The Gang.
 */
#pragma once

#include "service/game.h"
#include "service/handler.h"

/* Every function that routes.def names. */
#define ROUTE(method, path, body, queries, media, guard, shape, verb, dec, \
              enc)                                                         \
	decode_fn dec;                                                     \
	encode_fn enc;
#include "games/gang/routes.def"
