#include <assert.h>
#include <string.h>

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

bool status_find(const char *code, enum status *status)
{
	for (size_t i = 0; i < ARRAY_LEN(codes); i++) {
		if (strcmp(codes[i], code) == 0) {
			*status = (enum status)i;
			return true;
		}
	}
	return false;
}
