/*
 * embed.h - files that the build embeds in the program (deploy/build/embed.sh).
 * Each set is an array sorted as the build lists it.
 */
#pragma once

#include <stddef.h>

struct embedded {
	const char *name; /* without its folder; NULL ends the array */
	const char *bytes;
	const char *end; /* past the last byte; points to a zero byte */
};
