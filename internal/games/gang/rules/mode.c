/*
 * Lookups in the rows of mode.def.
 */
#include "games/gang/rules/mode.h"

#include <assert.h>
#include <string.h>

#include "games/gang/rules/stack.h"

/* The harder modes leave Quick Access out. */
enum {
	LATER_CHALLENGES = ALL_CHALLENGES & ~(1 << CHALLENGE_QUICK_ACCESS),
};
_Static_assert((int)CHALLENGE_MAX <= (int)STACK_MAX &&
                       (int)SPECIALIST_MAX <= (int)STACK_MAX,
               "every card has its bit");

static const struct mode modes[] = {
#define MODE(name, ...) { __VA_ARGS__ },
#include "games/gang/rules/mode.def"
};

const struct mode *gang_mode_list(size_t *count)
{
	*count = ARRAY_LEN(modes);
	return modes;
}

const struct mode *gang_mode_find(unsigned number)
{
	for (size_t i = 0; i < ARRAY_LEN(modes); i++) {
		if (modes[i].number == number)
			return &modes[i];
	}
	return NULL;
}

const struct mode *gang_mode_get(unsigned number)
{
	const struct mode *mode = gang_mode_find(number);

	assert(mode);
	return mode;
}

const struct mode *gang_mode_find_by_code(const char *code)
{
	for (size_t i = 0; i < ARRAY_LEN(modes); i++) {
		if (strcmp(modes[i].code, code) == 0)
			return &modes[i];
	}
	return NULL;
}

unsigned gang_mode_challenges_max(const struct mode *mode)
{
	unsigned more = mode->after_success == NEXT_CHALLENGE ||
	                mode->after_failure == NEXT_CHALLENGE;

	return mode->first_count + more;
}

unsigned gang_mode_specialists_max(const struct mode *mode)
{
	return mode->after_success == NEXT_SPECIALIST ||
	       mode->after_failure == NEXT_SPECIALIST;
}
