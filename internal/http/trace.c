/*
 * A traceparent is "version-trace-parent-flags", each of a fixed length in
 * hexadecimal digits.  Version 00 has nothing more; a later version may have
 * further parts behind these, and ff is no version.  Ids of zeros alone are
 * invalid.
 */
#include "http/trace.h"

#include <stddef.h>
#include <string.h>

enum { VERSION_AT = 0, TRACE_AT = 3, PARENT_AT = 36, FLAGS_AT = 53, LEN = 55 };

static const char digits[] = "0123456789abcdef";

static bool is_hex(const char *text, size_t len)
{
	return strspn(text, digits) >= len;
}

static bool is_zero(const char *text, size_t len)
{
	return strspn(text, "0") >= len;
}

static bool has_dash(const char *field, size_t at)
{
	return field[at - 1] == '-';
}

bool trace_read(const char *field, char id[TRACE_ID_LEN + 1])
{
	if (!field || strlen(field) < LEN)
		return false;
	if (!is_hex(field + VERSION_AT, 2) || strncmp(field, "ff", 2) == 0 ||
	    (strncmp(field, "00", 2) == 0 && field[LEN]) ||
	    (field[LEN] && field[LEN] != '-'))
		return false;
	if (!has_dash(field, TRACE_AT) || !has_dash(field, PARENT_AT) ||
	    !has_dash(field, FLAGS_AT) ||
	    !is_hex(field + TRACE_AT, TRACE_ID_LEN) ||
	    !is_hex(field + PARENT_AT, 16) || !is_hex(field + FLAGS_AT, 2))
		return false;
	if (is_zero(field + TRACE_AT, TRACE_ID_LEN) ||
	    is_zero(field + PARENT_AT, 16))
		return false;
	memcpy(id, field + TRACE_AT, TRACE_ID_LEN);
	id[TRACE_ID_LEN] = '\0';
	return true;
}
