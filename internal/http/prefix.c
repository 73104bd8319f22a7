/*
 * A prefix is written into header fields, JSON and HTML as it is.  So it is
 * segments of characters that need no escape in any of these (RFC 3986,
 * "unreserved"), not empty and not only dots: the path stays on this host, and
 * is the same path in a browser and in a proxy.
 */
#include "http/prefix.h"

#include <string.h>

static const char unreserved[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				 "abcdefghijklmnopqrstuvwxyz"
				 "0123456789-._~";

const char *prefix_read(struct arena *arena, const char *field)
{
	if (!field)
		return "";
	size_t len = strlen(field);
	if (len > 0 && field[len - 1] == '/')
		len--;
	if (len > HTTP_PREFIX_MAX)
		return "";
	for (size_t at = 0; at < len;) {
		size_t segment = strspn(field + at + 1, unreserved);
		size_t dots = strspn(field + at + 1, ".");

		if (field[at] != '/' || segment == 0 ||
		    (dots == segment && dots <= 2))
			return "";
		at += 1 + segment;
	}
	return arena_strndup(arena, field, len);
}
