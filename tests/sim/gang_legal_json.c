/*
 * gang_legal_json.c - reads the JSON of legal actions by the contract alone.
 *
 * An element of "legal_actions" has several moves: its path and "body"
 * are fixed, and each member of "choose" has the options of which a client adds
 * one.  The elements are expanded into actions, every combination once, and the
 * list that results must be the list of the view.
 */
#include "gang_legal_json.h"

#include <stdio.h>

#include "games/gang/rules/challenge.h"
#include "games/gang/gang_ruleset.h"
#include "games/gang/rules/specialist.h"
#include "sim.h"

enum { EXPAND_FIELDS_MAX = 4, EXPAND_PATH_MAX = 64 };

/* The moves of one seat. */
struct expansion {
	unsigned seat;
	size_t count;
	struct action list[LEGAL_MAX];
};

/* The members of an object; NULL has no members. */
struct fields {
	size_t count;
	const char *names[EXPAND_FIELDS_MAX];
	struct json_c_object *values[EXPAND_FIELDS_MAX];
};

/* The verb, and the arguments that stand in the path. */
static void expand_path(const char *href, struct action *action)
{
	static const struct {
		const char *path;
		uint8_t verb;
	} paths[] = {
		{ "/heists", VERB_NEXT_HEIST },
		{ "/round/confirmations", VERB_CONFIRM_ROUND },
		{ "/specialist/proposals", VERB_PROPOSE },
		{ "/specialist/votes", VERB_VOTE },
		{ "/choices", VERB_CHOOSE },
		{ "/showdown/answers", VERB_ANSWER },
	};
	char path[EXPAND_PATH_MAX];

	for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
		if (strcmp(href, paths[i].path) == 0)
			action->verb = paths[i].verb;
	}
	for (unsigned chip = 0; chip < COLOR_COUNT * CHIPS_MAX; chip++) {
		unsigned color = chip / CHIPS_MAX;
		unsigned stars = 1 + chip % CHIPS_MAX;
		int len = snprintf(path, sizeof(path), "/chips/%s/%u/",
		                   color_code((enum color)color), stars);

		if (strncmp(href, path, (size_t)len) != 0)
			continue;
		action->args[ARG_COLOR] = (uint8_t)color;
		action->args[ARG_STARS] = (uint8_t)stars;
		action->verb = VERB_RETURN;
		if (strcmp(href + len, "take") == 0) {
			action->verb = VERB_TAKE;
		} else {
			CHECK(strcmp(href + len, "return") == 0);
		}
	}
	CHECK(action->verb != VERB_NONE);
}

static void expand_value(struct action *action, const char *text)
{
	bool answers = action->verb == VERB_ANSWER;
	bool ranking = answers &&
	               action->args[ARG_QUESTION] == CHALLENGE_FINGERPRINT_SCAN;
	enum value_kind kind = ranking ? VALUE_RANKING : VALUE_RANK;
	uint8_t value = 1;

	while (value <= gang_value_max(kind) &&
	       strcmp(text, gang_value_text(kind, value)) != 0)
		value++;
	CHECK(value <= gang_value_max(kind));
	action->args[answers ? ARG_ANSWER : ARG_VALUE] = value;
}

/* One field of a body. */
static void expand_field(struct action *action, const char *name,
                         struct json_c_object *value)
{
	const char *text = json_object_get_string(value);

	if (strcmp(name, "from") == 0) {
		/* The centre is 0, which json-c makes of its word. */
		action->args[ARG_FROM] = (uint8_t)json_object_get_int(value);
		CHECK(action->args[ARG_FROM] || strcmp(text, "center") == 0);
	} else if (strcmp(name, "seat") == 0) {
		action->args[ARG_SEAT] = (uint8_t)json_object_get_int(value);
	} else if (strcmp(name, "target_seat") == 0) {
		action->args[ARG_TARGET] = (uint8_t)json_object_get_int(value);
	} else if (strcmp(name, "agree") == 0) {
		action->args[ARG_AGREES] =
			(uint8_t)json_object_get_boolean(value);
	} else if (strcmp(name, "looked") == 0) {
		action->args[ARG_CARD] = CHOICE_LOOKED;
	} else if (strcmp(name, "card") == 0) {
		CHECK(card_parse(text, strlen(text), &action->args[ARG_CARD]));
	} else if (strcmp(name, "question") == 0) {
		action->args[ARG_QUESTION] = CHALLENGE_FINGERPRINT_SCAN;
		if (strcmp(text, "retina_scan") == 0)
			action->args[ARG_QUESTION] = CHALLENGE_RETINA_SCAN;
		else
			CHECK(strcmp(text, "fingerprint_scan") == 0);
	} else {
		CHECK(strcmp(name, "value") == 0);
		expand_value(action, text);
	}
}

static void list_fields(struct json_c_object *json, struct fields *fields)
{
	fields->count = 0;
	if (!json)
		return;
	struct json_object_iterator at = json_object_iter_begin(json);
	struct json_object_iterator end = json_object_iter_end(json);
	for (; !json_object_iter_equal(&at, &end); json_object_iter_next(&at)) {
		CHECK(fields->count < EXPAND_FIELDS_MAX);
		fields->names[fields->count] = json_object_iter_peek_name(&at);
		fields->values[fields->count++] =
			json_object_iter_peek_value(&at);
	}
}

/* Every combination of what is left to choose. */
static void expand_choices(struct expansion *out, const struct action *action,
                           struct json_c_object *choose)
{
	struct fields fields;
	size_t all = 1;

	list_fields(choose, &fields);
	CHECK(!choose || fields.count > 0);
	for (size_t i = 0; i < fields.count; i++) {
		struct json_c_object *form =
			json_form(fields.values[i], "one_of");

		fields.values[i] = json_member(form, "options");
		all *= json_object_array_length(fields.values[i]);
	}
	CHECK(all > 0);
	for (size_t i = 0; i < all; i++) {
		struct action one = *action;
		size_t rest = i;

		for (size_t j = 0; j < fields.count; j++) {
			size_t len = json_object_array_length(fields.values[j]);

			expand_field(&one, fields.names[j],
			             json_object_array_get_idx(fields.values[j],
			                                       rest % len));
			rest /= len;
		}
		CHECK(out->count < LEGAL_MAX);
		out->list[out->count++] = one;
	}
}

/* "chip" is a chip of the view; "from" of a chip to take is its holder. */
static void expect_chip(struct json_c_object *element,
                        const struct gang_view *view,
                        const struct action *action)
{
	struct json_c_object *chip = json_member(element, "chip");
	const char *color = json_object_get_string(json_member(chip, "color"));
	unsigned found = 0;

	CHECK(strcmp(color, color_code((enum color)action->args[ARG_COLOR])) ==
	      0);
	CHECK(json_object_get_int(json_member(chip, "stars")) ==
	      action->args[ARG_STARS]);
	for (unsigned i = 0; i < view->chips_count; i++) {
		const struct chip_view *seen = &view->chips[i];

		if (seen->color != action->args[ARG_COLOR] ||
		    seen->stars != action->args[ARG_STARS])
			continue;
		found++;
		CHECK(json_object_get_int(json_member(chip, "holder")) ==
		      seen->seat);
		CHECK(json_object_get_boolean(json_member(chip, "dark")) ==
		      seen->dark);
		CHECK((action->verb == VERB_TAKE ? action->args[ARG_FROM]
		                                 : view->seat) == seen->seat);
	}
	CHECK(found == 1);
}

static void expand_element(struct expansion *out, struct json_c_object *element,
                           const struct gang_view *view, const char *game_path)
{
	struct action action = { .seat = (uint8_t)out->seat };
	const char *href = json_object_get_string(json_member(element, "href"));
	struct fields fields;

	json_expect_command(element);
	CHECK(strncmp(href, game_path, strlen(game_path)) == 0);
	expand_path(href + strlen(game_path), &action);
	list_fields(json_member(element, "body"), &fields);
	for (size_t i = 0; i < fields.count; i++)
		expand_field(&action, fields.names[i], fields.values[i]);
	expand_choices(out, &action, json_member(element, "choose"));
	if (action.verb == VERB_TAKE || action.verb == VERB_RETURN)
		expect_chip(element, view, &action);
}

void legal_json_check(struct json_c_object *legal, const struct gang_view *view,
                      const char *game_path)
{
	static struct expansion out;

	out.seat = view->seat;
	out.count = 0;
	for (size_t i = 0; i < json_object_array_length(legal); i++)
		expand_element(&out, json_object_array_get_idx(legal, i), view,
		               game_path);
	CHECK(out.count == view->legal_count);
	for (size_t i = 0; i < out.count; i++) {
		unsigned found = 0;

		for (size_t j = 0; j < view->legal_count; j++)
			found += same_bytes(&out.list[i], &view->legal[j],
			                    sizeof(struct action));
		CHECK(found == 1);
	}
}
