/*
 * texts.h - texts for players, in the languages of texts/.
 *
 * A text is named by its kind, the code of its subject, and its part:
 * "challenge.blackout.name".  Every language has the same texts; the build
 * fails otherwise (texts.py).
 */
#pragma once

#include <stddef.h>

/* The tags of the languages; the first is English. */
const char *const *texts_languages(size_t *count);

/* A text in a language, given by its place in texts_languages(); or NULL. */
const char *texts_find(const char *key, size_t language);
