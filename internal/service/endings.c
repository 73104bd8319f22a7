/*
 * An ending is counted when the change is committed, from what every player of
 * the game may see: the status, and an event that ends a part of the game.
 */
#include "service/endings.h"

#include <assert.h>
#include <string.h>

#include "base/macros.h"
#include "metric/metric.h"
#include "service/game.h"
#include "service/rulesets.h"

static const enum status endings[] = { STATUS_WON, STATUS_LOST, STATUS_OVER };

_Static_assert(ARRAY_LEN(endings) <= METRIC_ROOM_ENDING,
               "each ending has a cell");

/* The cell before the first outcome of a game: games have theirs in turn. */
static unsigned cells_before(const struct game *game)
{
	unsigned cells = 0;

	for (size_t i = 0; rulesets_at(i) != game; i++)
		cells += (unsigned)rulesets_at(i)->outcomes_count;
	assert(cells + game->outcomes_count < METRIC_ROOM_OUTCOME);
	return cells;
}

static void name_outcomes(const struct game *game)
{
	for (unsigned i = 0; i < game->outcomes_count; i++)
		metric_name_pair(METRIC_LABEL_OUTCOME,
		                 cells_before(game) + i + 1, "outcome",
		                 game->outcomes[i]);
}

void endings_name(void)
{
	for (size_t i = 0; i < rulesets_count(); i++)
		name_outcomes(rulesets_at(i));
	for (unsigned i = 0; i < ARRAY_LEN(endings); i++)
		metric_name_pair(METRIC_LABEL_ENDING, i, "status",
		                 status_code(endings[i]));
}

static void count_game(const struct call *call)
{
	const struct table *table = &call->game.table;
	const struct store_game *before = call->game.loaded;
	unsigned ruleset = rulesets_place(table->rules);

	if (!before || strcmp(before->status, status_code(STATUS_PLAYING)) != 0)
		return;
	for (unsigned i = 0; i < ARRAY_LEN(endings); i++) {
		if (endings[i] == table->status)
			metric_add(METRIC_GAMES_ENDED,
			           ruleset * METRIC_ROOM_ENDING + i, 1);
	}
}

void endings_count(const struct call *call)
{
	const struct store_move *move = &call->decided.move;

	if (!metric_cells)
		return;
	count_game(call);
	const struct game *game = rulesets_game(call->game.table.rules);
	for (size_t i = 0; game->outcome && i < move->events_count; i++) {
		unsigned outcome = game->outcome(&move->events[i]);

		if (outcome > 0 && outcome <= game->outcomes_count)
			metric_add(METRIC_PARTS, cells_before(game) + outcome,
			           1);
	}
}
