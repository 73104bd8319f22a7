/*
 * rulesets.h - the rulesets that the service knows, see rulesets.def.
 */
#pragma once

#include <stddef.h>

#include "http/body.h"
#include "postgres/records.h"
#include "table/table.h"

/* Decodes the members that only this ruleset has in a new game's body. */
typedef void options_fn(struct body *body, struct options *options);

/*
 * How an event ends a heist; NULL in a row: there are no heists.  It returns
 * the outcome of the heist that an event ends, in 1..HEIST_OUTCOMES; 0: it ends
 * none.
 */
enum { HEIST_OUTCOMES = 3 };
typedef unsigned outcome_fn(const struct store_event *event);

struct rulesets_row {
	const struct ruleset *rules;
	options_fn *decode;
	outcome_fn *outcome;
};

#define RULESET(rules, decode, outcome) options_fn decode;
#include "service/rulesets.def"
outcome_fn gang_heist_outcome;

/* The ruleset with this number in the database; NULL if none has it. */
const struct ruleset *rulesets_find(unsigned number);

/* The codes of all rulesets, and a ruleset by its place in that list. */
const char *const *rulesets_codes(size_t *count);
const struct rulesets_row *rulesets_at(size_t index);

/* The place of a ruleset, which must be in the list. */
unsigned rulesets_place(const struct ruleset *rules);

/* The codes of the modes of all rulesets. */
const char *const *rulesets_modes(size_t *count);
