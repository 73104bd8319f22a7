/*
 * script.h - reads a file of stories, and carries out their lines.  README.md
 * describes the language.
 */
#pragma once

#include "story.h"

/* The lines of a file; line 1 is [0]. */
struct script {
	char **lines;
	size_t count;
};

/* False, with the reason on stderr, if the file cannot be read. */
bool script_read(struct script *script, const char *file);
void script_free(struct script *script);

/* The next line from a place on that begins a story; count if none does. */
size_t script_story(const struct script *script, size_t from);

/* Carry out the lines from..end-1, the first of which is a story's. */
void script_run(struct story *story, const struct script *script, size_t from,
                size_t end);
