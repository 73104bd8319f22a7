/*
 * embed.h - files that the build compiled in (base/embed.sh).
 */
#pragma once

#include <stddef.h>

struct embedded {
	const char *name; /* the file's name without its folder; NULL ends */
	const char *bytes;
	const char *end; /* one past the last byte; a zero byte stands there */
};
