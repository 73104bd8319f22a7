/*
 * The table of rulesets.def: what the service knows of the games there are. The
 * lists of codes are put together per thread when a request asks for them;
 * there are only a few.
 */
#include "service/rulesets.h"

#include <assert.h>

#include "games/famiglia/famiglia_ruleset.h"
#include "games/gang/gang_ruleset.h"

static const struct rulesets_row rulesets[] = {
#define RULESET(rules, decode, outcome) { &rules, decode, outcome },
#include "service/rulesets.def"
};

const struct ruleset *rulesets_find(unsigned number)
{
	for (size_t i = 0; i < ARRAY_LEN(rulesets); i++) {
		if (rulesets[i].rules->number == number)
			return rulesets[i].rules;
	}
	return NULL;
}

unsigned rulesets_place(const struct ruleset *rules)
{
	unsigned place = 0;

	while (rulesets[place].rules != rules) {
		place++;
		assert(place < ARRAY_LEN(rulesets));
	}
	return place;
}

const char *const *rulesets_codes(size_t *count)
{
	static _Thread_local const char *codes[ARRAY_LEN(rulesets)];

	for (size_t i = 0; i < ARRAY_LEN(rulesets); i++)
		codes[i] = rulesets[i].rules->code;
	*count = ARRAY_LEN(codes);
	return codes;
}

const struct rulesets_row *rulesets_at(size_t index)
{
	assert(index < ARRAY_LEN(rulesets));
	return &rulesets[index];
}

const char *const *rulesets_modes(size_t *count)
{
	static _Thread_local const char
		*codes[ARRAY_LEN(rulesets) * RULESET_MODES_MAX];
	size_t all = 0;

	for (size_t i = 0; i < ARRAY_LEN(rulesets); i++) {
		for (size_t mode = 0; rulesets[i].rules->modes[mode]; mode++)
			codes[all++] = rulesets[i].rules->modes[mode];
	}
	*count = all;
	return codes;
}
