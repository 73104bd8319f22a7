/*
 * game.h - the face of a game: what it brings to the service besides its rules.
 *
 * The rules (struct ruleset) are pure.  A struct game adds all that a request,
 * a list or a metric needs to know of them: how the options of a new game are
 * read, routes, texts by their codes, notifications.  All other code of the
 * service asks these tables, so another game is a folder and a row of
 * games/rulesets.def.
 *
 * A table is an array and its count, which GAME_ROWS() fills in.  All of it is
 * static.
 */
#pragma once

#include "http/body.h"
#include "postgres/records.h"
#include "service/answer.h"
#include "service/call.h"

/*
 * A code that "legal_actions" may have, and the path of its route below that of
 * the game.  POST .../actions takes the code, and the {parameters} of the
 * path as members of the body.  The texts are action.CODE.name and .text.
 */
struct game_action {
	const char *code;
	const char *path;
};

/*
 * A section of the guide, or a word that clients show as a label and in
 * sentences.  The texts are guide.CODE.title and .text_1, text_2 and so on; or
 * word.CODE.name and .text.
 */
struct game_term {
	const char *code;
	const char *kind; /* of a word */
};

/*
 * A sentence by which a client describes a game, for a member of a view or an
 * event.  The text is KIND.CODE.PART.  It applies if the member has the value;
 * the sentence that always applies is the last one of its code.  Rows of one
 * kind stand together.
 */
struct game_sentence {
	const char *kind;
	const char *code;
	const char *part;
	const char *member; /* NULL: it applies always */
	const char *value;  /* of the member, as JSON */
};

/* A code of notifications; push/push_code.h says what a number means. */
struct game_push_code {
	unsigned number;
	const char *code;
};

#define GAME_ROWS(table) .table = (table), .table##_count = ARRAY_LEN(table)

struct game {
	const struct ruleset *rules;

	/*
	 * Read the options of a new game from the members of its body.  NULL
	 * if the game has no options.
	 */
	void (*decode_options)(struct body *body, struct options *options);

	const struct http_route *routes;
	size_t routes_count;
	/*
	 * The {parameters} of its own paths.  A decoder finds the value of one
	 * in call->path.of_game, at the place that its row has.
	 */
	const struct http_param *params;
	size_t params_count;
	const struct game_action *actions; /* in the order of lists */
	size_t actions_count;
	const struct game_term *sections;
	size_t sections_count;
	const struct game_term *words;
	size_t words_count;
	const struct game_sentence *sentences;
	size_t sentences_count;

	/* The code of an event that seats are notified of; 0: none. */
	const struct game_push_code *push_codes;
	size_t push_codes_count;
	unsigned (*push_code)(const struct store_event *event);

	/*
	 * How a part of the game may end, for metrics; and which of these an
	 * event says, from 1; 0: none.
	 */
	const char *const *outcomes;
	size_t outcomes_count;
	unsigned (*outcome)(const struct store_event *event);
};

/*
 * A row of a routes.def as a struct http_route.  rules is the ruleset that has
 * the route to itself; NULL: any.  MEDIA_FILE: the encoder says the type.
 */
#define MEDIA_FILE NULL
#define GAME_ROUTE(rules, method, path, body_max, queries, media, guard,    \
                   shape, verb, decode, encode)                             \
	{                                                                   \
		HTTP_##method, path, body_max, queries, MEDIA_##media,      \
			SHAPE_##shape == SHAPE_EVENTS,                      \
			GUARD_##guard == GUARD_PROBE, &(const struct route) \
		{                                                           \
			GUARD_##guard, SHAPE_##shape, rules, VERB_##verb,   \
				decode, encode                              \
		}                                                           \
	}
