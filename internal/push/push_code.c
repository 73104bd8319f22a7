/*
 * The rows of push_code.def, found by their numbers, which have gaps.
 */
#include "push/push_code.h"

#include <stddef.h>

enum { WAITS_BELOW = 10 };

const char *push_code_text(unsigned number)
{
	switch (number) {
#define PUSH_CODE(name, number, code) \
	case (number):                \
		return code;
#include "push/push_code.def"
	default:
		return NULL;
	}
}

bool push_code_waits(unsigned number)
{
	return number < WAITS_BELOW;
}
