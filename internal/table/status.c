/*
 * The codes of status.def, and which of them are of a game that is over.
 */
#include <assert.h>

#include "table/ruleset.h"

static const char *const codes[] = {
#define STATUS(name, code) [STATUS_##name] = code,
#include "table/status.def"
};

const char *status_code(enum status status)
{
	assert((size_t)status < ARRAY_LEN(codes));
	return codes[status];
}

bool status_is_over(enum status status)
{
	return status != STATUS_LOBBY && status != STATUS_PLAYING;
}
