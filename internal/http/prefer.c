#include "http/prefer.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

enum { WAIT_MAX = 60 };

static const char *skip_blanks(const char *at)
{
	return at + strspn(at, " \t");
}

/* Behind the next comma that is in no quoted string; NULL at the end. */
static const char *next_preference(const char *at)
{
	bool quoted = false;

	for (; *at; at++) {
		if (quoted && *at == '\\' && at[1])
			at++;
		else if (*at == '"')
			quoted = !quoted;
		else if (*at == ',' && !quoted)
			return at + 1;
	}
	return NULL;
}

/* The number up to a comma or a parameter; false if it is none. */
static bool read_seconds(const char *at, unsigned *seconds)
{
	bool quoted = *at == '"';
	unsigned number = 0;

	at += quoted;
	size_t digits = strspn(at, "0123456789");
	for (size_t i = 0; i < digits && number <= WAIT_MAX; i++)
		number = number * 10 + (unsigned)(at[i] - '0');
	at += digits;
	if (!digits || (quoted && *at++ != '"'))
		return false;
	at = skip_blanks(at);
	if (*at && *at != ',' && *at != ';')
		return false;
	*seconds = number < WAIT_MAX ? number : WAIT_MAX;
	return true;
}

unsigned prefer_wait(const char *field)
{
	static const char name[] = "wait";

	for (; field; field = next_preference(field)) {
		const char *at = skip_blanks(field);
		unsigned seconds;

		if (strncasecmp(at, name, sizeof(name) - 1) != 0)
			continue;
		at = skip_blanks(at + sizeof(name) - 1);
		if (*at == '=' && read_seconds(skip_blanks(at + 1), &seconds))
			return seconds;
	}
	return 0;
}
