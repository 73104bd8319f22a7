/*
 * POST .../actions: every move by one URL.  The body has the action's code, and
 * beside it the members that the move's own route takes in its path and body.
 * The request becomes one of that route: its decoder, plan and encoder serve
 * it.  So there is one way to carry out a move, whichever URL it came by.  The
 * answer is a view for every move; seating a bot has another one by its own
 * route (is_command).
 *
 * action.def pairs each code with the path of its route.
 */
#include "http/body.h"
#include "service/handler.h"
#include "service/route_table.h"
#include "table/ruleset.h"

static const struct {
	const char *code;
	const char *path; /* of the move's own route */
} actions[] = {
#define ACTION(code, ruleset, path) { code, "/v1/games/{game_id}" path },
#include "service/action.def"
};

enum err decode_action(struct call *call)
{
	const char *codes[ARRAY_LEN(actions)];

	for (size_t i = 0; i < ARRAY_LEN(actions); i++)
		codes[i] = actions[i].code;
	body_need(call->body, "action", "Say which action this is.");
	size_t chosen = body_choice(call->body, "action", codes,
	                            ARRAY_LEN(codes), ARRAY_LEN(codes));
	if (chosen == ARRAY_LEN(codes)) {
		/* Only the action says which other members there may be. */
		body_skip_rest(call->body);
		return ERR_OK;
	}
	call->route = route_table_find_post(actions[chosen].path);
	call->wanted.action.verb = call->route->verb;
	call->wanted.is_command = true;
	return call->route->decode(call);
}
