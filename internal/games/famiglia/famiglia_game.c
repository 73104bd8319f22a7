/*
 * The face of Famiglia: its tables.  A new game has no options.
 */
#include "games/famiglia/famiglia_handler.h"
#include "games/famiglia/famiglia_ruleset.h"
#include "games/famiglia/rules/famiglia.h"

static const struct http_route routes[] = {
#define ROUTE(...) GAME_ROUTE(&famiglia_ruleset, __VA_ARGS__),
#include "games/famiglia/routes.def"
};

static const struct game_action actions[] = {
#define ACTION(code, path) { code, path },
#include "games/famiglia/action.def"
};

static const struct game_term sections[] = {
#define SECTION(code) { code, NULL },
#include "games/famiglia/guide.def"
};

static const struct game_term words[] = {
#define WORD(code, kind) { code, kind },
#include "games/famiglia/word.def"
};

static const struct game_sentence sentences[] = {
#define SENTENCE(...) { __VA_ARGS__ },
#include "games/famiglia/sentence.def"
};

const struct game famiglia_game = {
	.rules = &famiglia_ruleset,
	GAME_ROWS(routes),
	GAME_ROWS(actions),
	GAME_ROWS(sections),
	GAME_ROWS(words),
	GAME_ROWS(sentences),
};
