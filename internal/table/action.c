/*
 * Arguments that lie in two places, because logs had only the first of them.
 */
#include "table/action.h"

#include <string.h>

enum { OPTIONS_MORE = ACTION_OPTIONS_MAX - CREATE_OPTIONS_FIRST };
enum { STATE_MORE = REMATCH_STATE_MAX - REMATCH_STATE_FIRST };

_Static_assert((int)CREATE_OPTIONS_MORE + (int)OPTIONS_MORE <=
                       (int)ACTION_ARGS_MAX,
               "the options fit");
_Static_assert((int)REMATCH_ARG_STATE_MORE == 48,
               "logs of older programs have 48 arguments");

void action_options(const struct action *action, uint8_t *options)
{
	const uint8_t *args = action->args;

	memcpy(options, args + CREATE_OPTIONS, CREATE_OPTIONS_FIRST);
	memcpy(options + CREATE_OPTIONS_FIRST, args + CREATE_OPTIONS_MORE,
	       OPTIONS_MORE);
}

void action_set_options(struct action *action, const uint8_t *options)
{
	uint8_t *args = action->args;

	memcpy(args + CREATE_OPTIONS, options, CREATE_OPTIONS_FIRST);
	memcpy(args + CREATE_OPTIONS_MORE, options + CREATE_OPTIONS_FIRST,
	       OPTIONS_MORE);
}

void action_state(const struct action *action, uint8_t *state)
{
	const uint8_t *args = action->args;

	memcpy(state, args + REMATCH_ARG_STATE, REMATCH_STATE_FIRST);
	memcpy(state + REMATCH_STATE_FIRST, args + REMATCH_ARG_STATE_MORE,
	       STATE_MORE);
}

void action_set_state(struct action *action, const uint8_t *state)
{
	uint8_t *args = action->args;

	memcpy(args + REMATCH_ARG_STATE, state, REMATCH_STATE_FIRST);
	memcpy(args + REMATCH_ARG_STATE_MORE, state + REMATCH_STATE_FIRST,
	       STATE_MORE);
}
