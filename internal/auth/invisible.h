/*
 * invisible.h - characters that nobody sees, and where they are needed.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include <unitypes.h>

/* Joiners, selectors, fillers and what else looks like nothing, or a blank. */
bool invisible_is(ucs4_t c);

/* An emoji that is a picture, which a digit is not. */
bool invisible_is_pictograph(ucs4_t c);

/*
 * Does the invisible character at a place, below count, change what is seen
 * beside it?  It does if it joins or parts letters of a script that does so, if
 * it belongs to an emoji, or if it selects a variant of a character.
 */
bool invisible_is_needed(const ucs4_t *chars, size_t count, size_t at);
