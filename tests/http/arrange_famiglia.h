/*
 * arrange_famiglia.h - puts the gangsters of a game of Famiglia where a story
 * says.
 *
 *   deal 1=f1c,f1d 1.display=b1a street=f3a,m1b pile=b2a,b3a discards=m1a
 *
 * Seats have these in their hands and displays, in addition to the zeros that
 * they began with; the street has just these, and the pile has these on top.
 * Cards that are not named lie below them, or where rest= says: discards, a
 * seat or its display.  pass=2: the discards have become the pile.  It is the
 * turn of the player who began, the earliest in which both can own so much.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/*
 * The words after "deal", up to NULL; state is its bytes before and, with their
 * number in len, after.  The words' fault as text from the arena; NULL if they
 * are valid.
 */
const char *arrange_famiglia(char **words, uint8_t *state, size_t *len,
                             struct arena *arena);
