/*
 * Only the preference "wait" of RFC 7240 is read.  The number may be quoted
 * (section 2), and blanks may surround the sign before it.
 */
#include "http/prefer.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "http/list.h"

enum { WAIT_MAX = 60 };

static const char blanks[] = " \t";

/* The seconds of "wait=7"; false if the member is something else. */
static bool read_wait(const struct list_member *member, unsigned *seconds)
{
	static const char name[] = "wait";
	const char *at = member->value.text;

	if (strncasecmp(at, name, sizeof(name) - 1) != 0)
		return false;
	at += sizeof(name) - 1;
	at += strspn(at, blanks);
	if (*at++ != '=')
		return false;
	at += strspn(at, blanks);
	bool quoted = *at == '"';
	at += quoted;
	size_t digits = strspn(at, "0123456789");
	unsigned long number = strtoul(at, NULL, 10);
	at += digits;
	if (digits == 0 || (quoted && *at++ != '"') ||
	    at != member->value.text + member->value.len)
		return false;
	*seconds = number < WAIT_MAX ? (unsigned)number : WAIT_MAX;
	return true;
}

unsigned prefer_wait(const char *field)
{
	struct list_member member;
	unsigned seconds;

	while (list_next(&field, &member)) {
		if (read_wait(&member, &seconds))
			return seconds;
	}
	return 0;
}
