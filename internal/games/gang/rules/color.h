/*
 * color.h - the colours of the chips.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

enum color {
#define COLOR(name, code) COLOR_##name,
#include "games/gang/rules/color.def"
	COLOR_COUNT
};

/* "white"; static. */
const char *color_code(enum color color);

/* Read a code; false, and color untouched, for another text. */
MUST_CHECK bool gang_color_parse(const char *text, size_t len,
                                 enum color *color);
