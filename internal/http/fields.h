/*
 * fields.h - the header fields of a request, as libmicrohttpd found them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include <microhttpd.h>

#include "http/http.h"

enum field {
#define FIELD(field, name) FIELD_##field,
#include "http/field.def"
	FIELD_COUNT
};

struct fields {
	const char *values[FIELD_COUNT]; /* NULL if absent */
	unsigned counts[FIELD_COUNT];    /* lines with that name */
	size_t size;                     /* bytes of all fields */
	unsigned count;                  /* of all fields */
	size_t header_size; /* with the request line; 0: it is not whole */
	bool malformed;     /* one has a byte that no field may have */
	/*
	 * libmicrohttpd has skipped a piece of the header.  (DEBIAN_12: 1.0
	 * refuses such a header by itself.)
	 */
	bool has_gap;
};

/*
 * Keep libmicrohttpd from taking the Cookie field apart.  To be called when it
 * has read the request line.
 */
void fields_hide_cookies(struct MHD_Connection *connection);

/*
 * Read the fields of a request.  The method (NULL: not known), the target as it
 * was sent and the version are libmicrohttpd's own strings: their addresses
 * count.  The values live as long as the request; several lines of a name are
 * joined by ", ".
 */
void fields_read(struct fields *fields, struct arena *arena,
                 struct MHD_Connection *connection, const char *method,
                 struct http_slice target, const char *version);

/*
 * Add the fields of the header, as far as it has arrived, or of the trailer of
 * a chunked body to the size and the count.
 */
void fields_count(struct fields *fields, struct MHD_Connection *connection,
                  enum MHD_ValueKind kind);

/* Are the fields more than a request may have? */
bool fields_are_too_many(const struct fields *fields);
