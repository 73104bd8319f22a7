/*
 * skeleton.h - what a text looks like.  Texts that a reader may take for each
 * other have one skeleton, by Unicode's list of confusable characters (UTS 39),
 * which ICU has.
 */
#pragma once

#include "base/arena.h"

/* The skeleton of a text in UTF-8, in the arena; only to be compared. */
const char *skeleton_of(const char *text, struct arena *arena);
