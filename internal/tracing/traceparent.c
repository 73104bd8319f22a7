/*
 * A traceparent is "version-trace-parent-flags", each of a fixed length in
 * hexadecimal digits.  Version 00 has nothing more; a later version may append
 * further parts, and ff is not a version.  Ids of zeros alone are invalid.
 */
#include "tracing/traceparent.h"

#include <string.h>

static const char shape[] =
	"xx-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx-xxxxxxxxxxxxxxxx-xx";

static const char digits[] = "0123456789abcdef";

enum { TRACE_AT = 3, PARENT_AT = 36, LEN = sizeof(shape) - 1 };

static bool has_shape(const char *field)
{
	for (size_t i = 0; i < LEN; i++) {
		if (shape[i] == '-' ? field[i] != '-'
		                    : !field[i] || !strchr(digits, field[i]))
			return false;
	}
	return true;
}

bool traceparent_read(const char *field, char id[TRACEPARENT_ID_LEN + 1],
                      char parent[TRACEPARENT_SPAN_LEN + 1])
{
	if (!field || !has_shape(field) || strncmp(field, "ff", 2) == 0)
		return false;
	if (field[LEN] && (field[LEN] != '-' || strncmp(field, "00", 2) == 0))
		return false;
	if (strspn(field + TRACE_AT, "0") >= TRACEPARENT_ID_LEN ||
	    strspn(field + PARENT_AT, "0") >= TRACEPARENT_SPAN_LEN)
		return false;
	memcpy(id, field + TRACE_AT, TRACEPARENT_ID_LEN);
	id[TRACEPARENT_ID_LEN] = '\0';
	memcpy(parent, field + PARENT_AT, TRACEPARENT_SPAN_LEN);
	parent[TRACEPARENT_SPAN_LEN] = '\0';
	return true;
}
