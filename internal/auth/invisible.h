/*
 * invisible.h - invisible characters, and where a text needs them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include <unitypes.h>

/* Joiners, selectors, fillers and all else that is invisible or a blank. */
bool invisible_is(ucs4_t c);

/* An emoji that is a picture, which a digit is not. */
bool invisible_is_pictograph(ucs4_t c);

/*
 * Does the invisible character at a place, below count, change how its
 * neighbours look?  It does if it joins or separates letters of a script that
 * has such letters, if it belongs to an emoji, or if it selects a variant of a
 * character.
 */
bool invisible_is_needed(const ucs4_t *chars, size_t count, size_t at);
