/*
 * POST .../actions: every move by one URL.  The body has the action's code, and
 * the members that the move's own route takes in its path and body.
 * The request becomes one of that route: its decoder, plan and encoder serve
 * it.  So there is one way to carry out a move, whichever URL it came by.  The
 * answer is a view for every move; seating a bot has another one by its own
 * route (is_command).
 *
 * action.def, and that of each game, pair a code with the path of its route.
 * The first caller makes one list of them.
 */
#include "service/actions.h"

#include <pthread.h>
#include <stdio.h>

#include "base/memory.h"
#include "http/body.h"
#include "service/game.h"
#include "service/handler.h"
#include "service/route_table.h"
#include "service/rulesets.h"

/* Those of the rulesets come where a row has no code. */
static const struct game_action common[] = {
#define ACTION(code, path) { code, path },
#define OF_GAMES           { NULL, NULL },
#include "service/action.def"
};

static struct actions_row *actions;
static const char **codes; /* of the same rows */
static size_t actions_count;
static pthread_once_t built = PTHREAD_ONCE_INIT;

static void append(const struct game_action *action,
                   const struct ruleset *rules)
{
	char path[HTTP_URI_MAX];

	(void)snprintf(path, sizeof(path), "/v1/games/{game_id}%s",
	               action->path);
	codes[actions_count] = action->code;
	actions[actions_count++] = (struct actions_row){
		.code = action->code,
		.rules = rules,
		.route = route_table_find_post(path),
	};
}

static void append_games(void)
{
	for (size_t i = 0; i < rulesets_count(); i++) {
		const struct game *game = rulesets_at(i);

		for (size_t row = 0; row < game->actions_count; row++)
			append(&game->actions[row], game->rules);
	}
}

static void build(void)
{
	size_t count = ARRAY_LEN(common);

	for (size_t i = 0; i < rulesets_count(); i++)
		count += rulesets_at(i)->actions_count;
	actions = xcalloc(count, sizeof(*actions));
	codes = xcalloc(count, sizeof(*codes));
	for (size_t i = 0; i < ARRAY_LEN(common); i++) {
		if (common[i].code)
			append(&common[i], NULL);
		else
			append_games();
	}
}

const struct actions_row *actions_list(size_t *count)
{
	(void)pthread_once(&built, build);
	*count = actions_count;
	return actions;
}

enum err decode_action(struct call *call)
{
	size_t count;
	const struct actions_row *rows = actions_list(&count);

	body_need(call->body, "action", "Say which action this is.");
	size_t chosen = body_choice(call->body, "action", codes, count, count);
	if (chosen == count) {
		/* Only the action says which other members there may be. */
		body_skip_rest(call->body);
		return ERR_OK;
	}
	call->route = rows[chosen].route;
	call->wanted.action.verb = call->route->verb;
	call->wanted.is_command = true;
	return call->route->decode(call);
}
