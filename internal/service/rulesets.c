/*
 * The table of games/rulesets.def: what the service knows of the games there
 * are.  The lists of codes are put together per thread when a request asks for
 * them; there are only a few.
 */
#include "service/rulesets.h"

#include <assert.h>
#include <string.h>

#include "metric/metric.h"
#include "push/push_code.h"
#include "service/game.h"

#define RULESET(name) extern const struct game name##_game;
#include "games/rulesets.def"

static const struct game *const games[] = {
#define RULESET(name) &name##_game,
#include "games/rulesets.def"
};

_Static_assert(ARRAY_LEN(games) <= (size_t)METRIC_ROOM_RULESET,
               "each ruleset has a cell");

size_t rulesets_count(void)
{
	return ARRAY_LEN(games);
}

const struct ruleset *rulesets_find(unsigned number)
{
	for (size_t i = 0; i < ARRAY_LEN(games); i++) {
		if (games[i]->rules->number == number)
			return games[i]->rules;
	}
	return NULL;
}

unsigned rulesets_place(const struct ruleset *rules)
{
	unsigned place = 0;

	while (games[place]->rules != rules) {
		place++;
		assert(place < ARRAY_LEN(games));
	}
	return place;
}

const struct game *rulesets_game(const struct ruleset *rules)
{
	return games[rulesets_place(rules)];
}

const char *const *rulesets_codes(size_t *count)
{
	static _Thread_local const char *codes[ARRAY_LEN(games)];

	for (size_t i = 0; i < ARRAY_LEN(games); i++)
		codes[i] = games[i]->rules->code;
	*count = ARRAY_LEN(codes);
	return codes;
}

const struct game *rulesets_at(size_t index)
{
	assert(index < ARRAY_LEN(games));
	return games[index];
}

const char *const *rulesets_modes(size_t *count)
{
	static _Thread_local const char
		*codes[ARRAY_LEN(games) * RULESET_MODES_MAX];
	size_t all = 0;

	for (size_t i = 0; i < ARRAY_LEN(games); i++) {
		const char *const *modes = games[i]->rules->modes;

		for (size_t mode = 0; modes[mode]; mode++)
			codes[all++] = modes[mode];
	}
	*count = all;
	return codes;
}

const char *rulesets_push_code(unsigned number)
{
	const char *code = push_code_text(number);

	for (size_t i = 0; !code && i < ARRAY_LEN(games); i++) {
		const struct game *game = games[i];

		for (size_t row = 0; row < game->push_codes_count; row++) {
			if (game->push_codes[row].number == number)
				code = game->push_codes[row].code;
		}
	}
	return code;
}

static bool is_of_one_game(const struct game_push_code *row)
{
	unsigned found = push_code_text(row->number) != NULL;

	for (size_t i = 0; i < ARRAY_LEN(games); i++) {
		for (size_t at = 0; at < games[i]->push_codes_count; at++)
			found += games[i]->push_codes[at].number == row->number;
	}
	return found == 1;
}

void rulesets_check(void)
{
	for (size_t i = 0; i < ARRAY_LEN(games); i++) {
		const struct game *game = games[i];

		assert(rulesets_find(game->rules->number) == game->rules);
		for (size_t other = 0; other < i; other++)
			assert(strcmp(games[other]->rules->code,
			              game->rules->code) != 0);
		for (size_t at = 0; at < game->push_codes_count; at++)
			assert(is_of_one_game(&game->push_codes[at]));
	}
}
