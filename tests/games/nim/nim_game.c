/*
 * The face of Nim.
 */
#include <string.h>

#include "games/nim/rules/nim.h"
#include "service/game.h"
#include "service/handler.h"
#include "service/params.h"

enum { PARAM_STONES, PUSH_CODE_BIG_TAKE = 40, BIG_TAKE = 3 };
enum { OUTCOME_NONE, OUTCOME_EMPTIED };

/* The number is in the path, or in the body of a command. */
static enum err decode_take(struct call *call)
{
	if (!call->path.of_game[PARAM_STONES]) {
		body_need(call->body, "count", "Say how many stones.");
		call->path.of_game[PARAM_STONES] = (unsigned)body_int(
			call->body, "count", 1, NIM_TAKE_MAX, 1);
	}
	call->wanted.action.args[ARG_STONES] =
		(uint8_t)call->path.of_game[PARAM_STONES];
	return ERR_OK;
}

static bool read_count(const char *text, size_t len, unsigned *value)
{
	return params_read_number(text, len, NIM_TAKE_MAX, value);
}

static unsigned push_code(const struct store_event *event)
{
	return event->type == EVENT_STONES_TAKEN && event->public_len > 1 &&
	                       event->public_data[0] == BIG_TAKE
	               ? PUSH_CODE_BIG_TAKE
	               : 0;
}

static unsigned outcome(const struct store_event *event)
{
	return event->type == EVENT_STONES_TAKEN && event->public_len > 1 &&
	                       event->public_data[1] != 0
	               ? OUTCOME_EMPTIED
	               : OUTCOME_NONE;
}

static const struct http_route routes[] = {
#define ROUTE(...) GAME_ROUTE(&nim_rules, __VA_ARGS__),
#include "games/nim/routes.def"
};

static const struct http_param params[] = {
	[PARAM_STONES] = { "count", read_count, ERR_NO_SUCH_ROUTE },
};

static const struct game_action actions[] = {
#define ACTION(code, path) { code, path },
#include "games/nim/action.def"
};

static const struct game_term sections[] = {
#define SECTION(code) { code, NULL },
#include "games/nim/guide.def"
};

static const struct game_sentence sentences[] = {
#define SENTENCE(...) { __VA_ARGS__ },
#include "games/nim/sentence.def"
};

static const struct game_push_code push_codes[] = {
	{ PUSH_CODE_BIG_TAKE, "big_take" },
};

static const char *const outcomes[] = { "emptied" };

extern const struct game nim_game;
const struct game nim_game = {
	.rules = &nim_rules,
	GAME_ROWS(routes),
	GAME_ROWS(params),
	GAME_ROWS(actions),
	GAME_ROWS(sections),
	GAME_ROWS(sentences),
	GAME_ROWS(push_codes),
	.push_code = push_code,
	GAME_ROWS(outcomes),
	.outcome = outcome,
};
