/*
 * The action that creates a rematch.  It holds all that the new game inherits,
 * the encoded state too, so that a replay needs no other game.
 */
#include <assert.h>
#include <string.h>

#include "table/table.h"

enum err table_start_rematch(const struct table *table, const char *mode,
                             unsigned seats, void *next, struct action *action)
{
	unsigned players = table_players(table);
	uint8_t state[RULESET_STATE_MAX] = { 0 };

	if (seats && (seats < table->rules->seats_min ||
	              seats > table->rules->seats_max))
		return ERR_INVALID;
	if (!table->rules->start_rematch(next, table->state, mode))
		return ERR_INVALID;
	if (seats && seats < players)
		return ERR_NOT_ALLOWED_NOW;
	size_t len = table->rules->encode(next, state);
	assert(len > 0 && len <= REMATCH_STATE_MAX);
	*action = (struct action){ .verb = VERB_START_REMATCH };
	action->args[REMATCH_ARG_SEATS_MAX] =
		(uint8_t)(seats ? seats : table->seats_max);
	action->args[REMATCH_ARG_SEATS] = (uint8_t)players;
	action->args[REMATCH_ARG_HOST] =
		(uint8_t)table_closed_up(table, table->host);
	action->args[REMATCH_ARG_LEN] = (uint8_t)len;
	action->args[REMATCH_ARG_WAITS] = seats > players;
	for (unsigned seat = 1; seat <= table->seats; seat++) {
		if (table_is_bot(table, seat))
			action->args[REMATCH_ARG_BOTS] |=
				(uint8_t)(1U << table_closed_up(table, seat));
	}
	action_set_state(action, state);
	return ERR_OK;
}
