/*
 * connection_room.h - the memory that libmicrohttpd has for a connection.
 *
 * LIBMICROHTTPD.md says how it is used.  It holds, at the same time, the
 * header, a record for each field, bytes that were read after the header, and
 * the header of the response.  libmicrohttpd closes the connection when the
 * last one does not fit, after the handler has decided.  So the limits of a
 * request leave enough room for it.  Up to 32 KiB come from malloc(); more
 * would be a mapping of its own.
 */
#pragma once

#include "http/http.h"

enum {
	ROOM_OF_CONNECTION = 32768,
	ROOM_OF_REQUEST_LINE = HTTP_URI_MAX + 32,
	ROOM_OF_HEADER = ROOM_OF_REQUEST_LINE + HTTP_FIELDS_MAX,
	ROOM_OF_RECORD = 64,
	RECORDS_OTHER = 4, /* of the query, and by fields_hide_cookies() */
	/*
	 * At first libmicrohttpd reads up to half of its memory, then an eighth
	 * of what is left; and half of that for a body, if the header has just
	 * filled the buffer.
	 */
	ROOM_AFTER_HEADER = 4096,
	ROOM_OF_REPLY_HEADER = 3072, /* with what libmicrohttpd adds */
};

_Static_assert(ROOM_OF_HEADER +
                               (HTTP_FIELDS_COUNT_MAX + RECORDS_OTHER) *
                                       ROOM_OF_RECORD +
                               ROOM_AFTER_HEADER + ROOM_OF_REPLY_HEADER <=
                       ROOM_OF_CONNECTION,
               "a request that is allowed leaves room for its response");
