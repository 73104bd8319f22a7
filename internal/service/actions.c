/*
 * POST .../actions: every move by one URL.  The body has the action's code, and
 * beside it the members that the move's own route takes in its path and body.
 * The request becomes one of that route: its decoder, plan and encoder serve
 * it. So there is one way to carry out a move, whichever URL it came by.
 *
 * action.def pairs each code with the path of its route.
 */
#include <string.h>

#include "gang/color.h"
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

/* Read the chip, which a chip's own route has in its path. */
static void read_chip(struct call *call)
{
	const char *colors[COLOR_COUNT];

	for (unsigned i = 0; i < COLOR_COUNT; i++)
		colors[i] = color_code((enum color)i);
	body_need(call->body, "color", "Say the color of the chip.");
	body_need(call->body, "stars", "Say how many stars the chip has.");
	call->path.color = (unsigned)body_choice(call->body, "color", colors,
	                                         COLOR_COUNT, 0);
	call->path.stars =
		(unsigned)body_int(call->body, "stars", 1, TABLE_SEATS_MAX, 1);
}

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
	if (strstr(actions[chosen].path, "{color}"))
		read_chip(call);
	return call->route->decode(call);
}
