/*
 * choice.h - the private choices that a use of a specialist waits for.
 */
#pragma once

#include <stdint.h>

#include "base/err.h"
#include "base/rng.h"
#include "gang/heist.h"
#include "table/event.h"
#include "table/ruleset.h"

/* The card of a choice that names none, but says "I have looked". */
enum { CHOICE_LOOKED = 254 };

/*
 * Make a private choice, of a card or CHOICE_LOOKED: ERR_HEIST_OVER,
 * ERR_NO_CHOICE_DUE, ERR_NOT_YOUR_CHOICE, ERR_INVALID.
 */
MUST_CHECK enum err choice_check(const struct heist *heist, unsigned seat,
                                 unsigned card);
void choice_make(struct heist *heist, unsigned seat, unsigned card,
                 struct rng *rng, struct events *events);

/* The fault of a choice that was refused with ERR_INVALID. */
struct fault choice_fault(const struct heist *heist, unsigned card);

/* The cards that a seat which owes a choice may name; how many. */
enum { OPTIONS_MAX = POCKET_MAX + 1 };
unsigned choice_options(const struct heist *heist, unsigned seat,
                        uint8_t options[OPTIONS_MAX]);
