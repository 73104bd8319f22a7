/*
 * choice.h - the private choices that follow the use of a specialist.
 */
#pragma once

#include <stdint.h>

#include "base/err.h"
#include "base/rng.h"
#include "games/gang/rules/heist.h"
#include "table/event.h"
#include "table/ruleset.h"

/* The card of a choice that only confirms: "I have looked". */
enum { CHOICE_LOOKED = 254 };

/*
 * Choose a card, or CHOICE_LOOKED.  Refuses with ERR_HEIST_OVER,
 * ERR_NO_CHOICE_DUE, ERR_NOT_YOUR_CHOICE, ERR_INVALID.
 */
MUST_CHECK enum err choice_check(const struct heist *heist, unsigned seat,
                                 unsigned card);
void choice_make(struct heist *heist, unsigned seat, unsigned card,
                 struct rng *rng, struct events *events);

/* The fault of a choice that was refused with ERR_INVALID. */
struct fault choice_fault(const struct heist *heist, unsigned card);

/* Write the cards that a seat may choose now; returns their number. */
enum { OPTIONS_MAX = POCKET_MAX + 1 };
unsigned choice_options(const struct heist *heist, unsigned seat,
                        uint8_t options[OPTIONS_MAX]);
