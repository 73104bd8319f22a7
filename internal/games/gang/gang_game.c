/*
 * The face of The Gang: its tables, the options of a new game, and what an
 * event means to notifications and metrics.
 */
#include "games/gang/gang_game.h"

#include "games/gang/gang_handler.h"
#include "games/gang/gang_ruleset.h"
#include "games/gang/rules/color.h"
#include "games/gang/rules/gang.h"
#include "games/gang/rules/gang_print.h"
#include "service/params.h"

static void decode_options(struct body *body, struct options *options)
{
	static const char *const stacks[] = { "numbered", "shuffled" };
	static const char *const round_ends[] = { "at_once", "confirmed" };
	size_t count;
	const struct mode *modes = gang_mode_list(&count);
	size_t mode = body_choice(body, "mode", gang_ruleset.modes, count, 0);

	options->bytes[GANG_OPTION_MODE] = modes[mode].number;
	options->bytes[GANG_OPTION_SHUFFLED] =
		body_choice(body, "stacks", stacks, ARRAY_LEN(stacks), 0) == 1;
	options->bytes[GANG_OPTION_CONFIRMS] =
		body_choice(body, "round_end", round_ends,
	                    ARRAY_LEN(round_ends), 0) == 1;
}

/* --- parts of paths ------------------------------------------------------ */

static bool read_color(const char *text, size_t len, unsigned *value)
{
	enum color color;

	if (!gang_color_parse(text, len, &color))
		return false;
	*value = color;
	return true;
}

static bool read_stars(const char *text, size_t len, unsigned *value)
{
	return params_read_number(text, len, GANG_PLAYERS_MAX, value);
}

static bool read_number(const char *text, size_t len, unsigned *value)
{
	return params_read_number(text, len, 99, value);
}

/* --- events -------------------------------------------------------------- */

static unsigned outcome(const struct store_event *event)
{
	return event->type == EVENT_HEIST_ENDED && event->public_len > 0
	               ? event->public_data[0]
	               : 0;
}

/* A heist that was abandoned is dealt again. */
static unsigned push_code(const struct store_event *event)
{
	switch (outcome(event)) {
	case OUTCOME_SUCCEEDED:
		return PUSH_CODE_HEIST_SUCCEEDED;
	case OUTCOME_FAILED:
		return PUSH_CODE_HEIST_FAILED;
	default:
		return event->type == EVENT_HEIST_STARTED
		               ? PUSH_CODE_HEIST_STARTED
		               : 0;
	}
}

/* --- tables -------------------------------------------------------------- */

static const struct http_route routes[] = {
#define ROUTE(...) GAME_ROUTE(&gang_ruleset, __VA_ARGS__),
#include "games/gang/routes.def"
};

static const struct http_param params[] = {
#define PARAM(name, text, read, fallback) { text, read, fallback },
#include "games/gang/params.def"
};
_Static_assert((int)GANG_PARAM_COUNT <= (int)GAME_PARAMS_MAX, "they fit");

static const struct game_action actions[] = {
#define ACTION(code, path) { code, path },
#include "games/gang/action.def"
};

static const struct game_term sections[] = {
#define SECTION(code) { code, NULL },
#include "games/gang/guide.def"
};

static const struct game_term words[] = {
#define WORD(code, kind) { code, kind },
#include "games/gang/word.def"
};

static const struct game_sentence sentences[] = {
#define SENTENCE(...) { __VA_ARGS__ },
#include "games/gang/sentence.def"
};

static const struct game_push_code push_codes[] = {
#define PUSH_CODE(name, number, code) { number, code },
#include "games/gang/push_code.def"
};

/* In the order of enum outcome, without the open one. */
static const char *const outcomes[] = { "succeeded", "failed", "abandoned" };

const struct game gang_game = {
	.rules = &gang_ruleset,
	.decode_options = decode_options,
	GAME_ROWS(routes),
	GAME_ROWS(params),
	GAME_ROWS(actions),
	GAME_ROWS(sections),
	GAME_ROWS(words),
	GAME_ROWS(sentences),
	GAME_ROWS(push_codes),
	.push_code = push_code,
	GAME_ROWS(outcomes),
	.outcome = outcome,
};
