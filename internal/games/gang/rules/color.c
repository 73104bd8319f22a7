/*
 * Lookups in the codes of color.def.
 */
#include "games/gang/rules/color.h"

#include <assert.h>
#include <string.h>

static const char *const codes[] = {
#define COLOR(name, code) [COLOR_##name] = code,
#include "games/gang/rules/color.def"
};

const char *color_code(enum color color)
{
	assert((size_t)color < ARRAY_LEN(codes));
	return codes[color];
}

bool gang_color_parse(const char *text, size_t len, enum color *color)
{
	for (size_t i = 0; i < ARRAY_LEN(codes); i++) {
		if (strlen(codes[i]) == len &&
		    memcmp(codes[i], text, len) == 0) {
			*color = (enum color)i;
			return true;
		}
	}
	return false;
}
