/*
 * rulesets.h - the games that the service knows, see rulesets.def.
 */
#ifndef SERVICE_RULESETS_H
#define SERVICE_RULESETS_H

#include <stddef.h>

#include "http/body.h"
#include "table/table.h"

/* How a ruleset reads its part of what a game is created with. */
typedef void options_fn(struct body *body, struct options *options);
#define RULESET(rules, decode) options_fn decode;
#include "service/rulesets.def"

/* The ruleset with this number in the database, or NULL. */
const struct ruleset *rulesets_find(unsigned number);

/* The codes of all of them, and one by its place in that list. */
const char *const *rulesets_codes(size_t *count);
const struct ruleset *rulesets_at(size_t index, options_fn **decode);

/* The codes of the modes that any ruleset has. */
const char *const *rulesets_modes(size_t *count);

#endif
