/*
 * An ending is counted when the change is committed, from what every player of
 * the game may see: the status, and an event that ends a heist.
 */
#include "service/endings.h"

#include <string.h>

#include "base/macros.h"
#include "games/gang/rules/gang_print.h"
#include "metric/metric.h"
#include "service/rulesets.h"

static const enum status endings[] = { STATUS_WON, STATUS_LOST, STATUS_OVER };

_Static_assert((int)HEIST_OUTCOMES < (int)METRIC_ROOM_OUTCOME,
               "each outcome has a cell");
_Static_assert(ARRAY_LEN(endings) <= METRIC_ROOM_ENDING,
               "each ending has a cell");

void endings_name(void)
{
	for (unsigned i = 1; i <= HEIST_OUTCOMES; i++)
		metric_name_pair(METRIC_LABEL_OUTCOME, i, "outcome",
		                 gang_outcome_code(i));
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
	outcome_fn *outcome_of =
		rulesets_at(rulesets_place(call->game.table.rules))->outcome;
	for (size_t i = 0; outcome_of && i < move->events_count; i++) {
		unsigned outcome = outcome_of(&move->events[i]);

		if (outcome > 0 && outcome <= HEIST_OUTCOMES)
			metric_add(METRIC_HEISTS, outcome, 1);
	}
}
