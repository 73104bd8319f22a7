/*
 * stream.h - a reply that goes on while the loop writes to it.
 */
#pragma once

#include "http/exchange.h"

/* Append the end of the body to the output. */
void stream_append_end(struct exchange *exchange);
