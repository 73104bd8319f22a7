/*
 * unread.h - requests that libmicrohttpd refuses by itself.
 */
#pragma once

#include <stdarg.h>

#include "http/client.h"
#include "http/peer.h"
#include "http/request_log.h"

/* The unread requests of one server; borrows from it. */
struct unread {
	struct request_log *log;
	const struct peers *peers;
	struct clients *clients;
};

/*
 * libmicrohttpd's log: when it says there that it refuses a request, send our
 * refusal first, if there is one, and count and log the request.  The first
 * argument is a struct unread.
 */
void unread_on_log(void *unread, const char *format, va_list arguments);
