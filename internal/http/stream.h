/*
 * stream.h - a reply that goes on while the loop writes to it.
 */
#pragma once

#include <microhttpd.h>

#include "http/exchange.h"

/* Hand over a stream that is to begin; returns what libmicrohttpd expects. */
enum MHD_Result stream_send(struct exchange *exchange);
