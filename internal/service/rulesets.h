/*
 * rulesets.h - the rulesets that the service knows, see rulesets.def.
 */
#pragma once

#include <stddef.h>

#include "http/body.h"
#include "table/table.h"

/* Decodes the members that only this ruleset has in a new game's body. */
typedef void options_fn(struct body *body, struct options *options);

struct rulesets_row {
	const struct ruleset *rules;
	options_fn *decode;
};

#define RULESET(rules, decode) options_fn decode;
#include "service/rulesets.def"

/* The ruleset with this number in the database; NULL if none has it. */
const struct ruleset *rulesets_find(unsigned number);

/* The codes of all rulesets, and a ruleset by its place in that list. */
const char *const *rulesets_codes(size_t *count);
const struct rulesets_row *rulesets_at(size_t index);

/* The codes of the modes of all rulesets. */
const char *const *rulesets_modes(size_t *count);
