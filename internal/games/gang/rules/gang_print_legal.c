/*
 * Legal actions as JSON.  The view lists every action with all its arguments,
 * and alike ones in a row; each row is printed as one element with the choices
 * that are left.
 */
#include <assert.h>
#include <string.h>

#include "games/gang/rules/challenge.h"
#include "games/gang/rules/gang_print.h"
#include "games/gang/rules/gang_print_part.h"
#include "table/legal.h"

/* Actions that differ in a few members only: one element has them all. */
struct alike {
	const struct gang_view *view;
	const char *game_path;
	struct json_out *out;
	const struct action *actions;
	size_t count;
};

static struct legal begin(const struct alike *alike, const char *action,
                          const char *tail)
{
	return legal_begin(alike->out, action, alike->game_path, tail);
}

/* --- chips ---------------------------------------------------------------- */

static char *append(char *at, const char *text)
{
	size_t len = strlen(text);

	memcpy(at, text, len + 1);
	return at + len;
}

static void print_chip(const struct chip_view *chip, struct json_out *out)
{
	json_key_object(out, "chip");
	json_key_string(out, "color", color_code((enum color)chip->color));
	json_key_int(out, "stars", chip->stars);
	json_key_int_or_null(out, "holder", chip->seat);
	json_key_bool(out, "dark", chip->dark);
	json_object_end(out);
}

static const struct chip_view *find_chip(const struct gang_view *view,
                                         const struct action *action)
{
	const struct chip_view *chip = view->chips;

	while (chip->color != action->args[ARG_COLOR] ||
	       chip->stars != action->args[ARG_STARS]) {
		chip++;
		assert(chip < view->chips + view->chips_count);
	}
	return chip;
}

enum { CHIP_PATH_MAX = 32 };

static void print_chip_action(const struct alike *alike)
{
	const struct action *action = alike->actions;
	const struct chip_view *chip = find_chip(alike->view, action);
	const char *color = color_code((enum color)chip->color);
	char stars[] = { '/', (char)('0' + chip->stars), '\0' };
	bool takes = action->verb == VERB_TAKE;
	struct json_out *out = alike->out;
	char path[CHIP_PATH_MAX];

	append(append(append(append(path, "/chips/"), color), stars),
	       takes ? "/take" : "/return");
	struct legal legal = takes ? begin(alike, "take_chip", path)
	                           : begin(alike, "return_chip", path);
	if (takes && chip->seat)
		json_key_int(out, "from", chip->seat);
	else if (takes)
		json_key_string(out, "from", "center");
	legal_go_on(&legal, LEGAL_COMMAND);
	json_key_string(out, "color", color);
	json_key_int(out, "stars", chip->stars);
	legal_go_on(&legal, LEGAL_OTHERS);
	print_chip(chip, out);
	legal_end(&legal);
}

/* --- actions with something to choose ------------------------------------- */

/*
 * Print each value of an argument once: a seat, or a value of a kind.  They
 * rise from action to action, and may begin again with another seat.
 */
static void choose_arg(struct legal *legal, const char *name,
                       enum value_kind kind, const struct alike *alike,
                       unsigned arg)
{
	struct json_out *out = alike->out;
	unsigned last = 0;

	legal_one_of(legal, name);
	json_key_array(out, "options");
	for (size_t i = 0; i < alike->count; i++) {
		unsigned value = alike->actions[i].args[arg];

		if (value <= last)
			continue;
		last = value;
		if (kind == VALUE_NONE)
			json_int(out, value);
		else
			json_string(out, gang_value_text(kind, value));
	}
	json_array_end(out);
	json_object_end(out);
}

/* With a target, each first seat has an element: the two must differ. */
static void print_proposals(const struct alike *alike)
{
	const uint8_t *args = alike->actions->args;
	struct legal legal = begin(alike, "propose", "/specialist/proposals");

	if (args[ARG_TARGET]) {
		json_key_int(alike->out, "seat", args[ARG_SEAT]);
		choose_arg(&legal, "target_seat", VALUE_NONE, alike,
		           ARG_TARGET);
	} else {
		choose_arg(&legal, "seat", VALUE_NONE, alike, ARG_SEAT);
	}
	if (args[ARG_VALUE])
		choose_arg(&legal, "value", VALUE_RANK, alike, ARG_VALUE);
	legal_end(&legal);
}

static void print_votes(const struct alike *alike)
{
	struct legal legal = begin(alike, "vote", "/specialist/votes");

	legal_one_of(&legal, "agree");
	json_key_array(alike->out, "options");
	for (size_t i = 0; i < alike->count; i++)
		json_bool(alike->out, alike->actions[i].args[ARG_AGREES]);
	json_array_end(alike->out);
	json_object_end(alike->out);
	legal_end(&legal);
}

static void print_choices(const struct alike *alike)
{
	struct legal legal = begin(alike, "choose", "/choices");
	uint8_t cards[LEGAL_MAX];

	if (alike->actions->args[ARG_CARD] == CHOICE_LOOKED) {
		json_key_bool(alike->out, "looked", true);
	} else {
		for (size_t i = 0; i < alike->count; i++)
			cards[i] = alike->actions[i].args[ARG_CARD];
		legal_one_of(&legal, "card");
		gang_print_cards("options", cards, (unsigned)alike->count,
		                 alike->out);
		json_object_end(alike->out);
	}
	legal_end(&legal);
}

static void print_answers(const struct alike *alike)
{
	const struct challenge *row =
		gang_challenge_get(alike->actions->args[ARG_QUESTION]);
	struct legal legal = begin(alike, "answer", "/showdown/answers");

	json_key_string(alike->out, "question", row->code);
	choose_arg(&legal, "value", row->asks, alike, ARG_ANSWER);
	legal_end(&legal);
}

/* True if one element can list both actions. */
static bool is_alike(const struct action *first, const struct action *second)
{
	if (first->verb != second->verb)
		return false;
	switch ((enum gang_verb)first->verb) {
	case VERB_TAKE:
	case VERB_RETURN:
	case VERB_NEXT_HEIST:
	case VERB_CONFIRM_ROUND:
		return false;
	case VERB_PROPOSE:
		return !first->args[ARG_TARGET] ||
		       first->args[ARG_SEAT] == second->args[ARG_SEAT];
	case VERB_ANSWER:
		return first->args[ARG_QUESTION] == second->args[ARG_QUESTION];
	case VERB_VOTE:
	case VERB_CHOOSE:
		break;
	}
	return true;
}

static void print_alike(const struct alike *alike)
{
	switch ((enum gang_verb)alike->actions->verb) {
	case VERB_TAKE:
	case VERB_RETURN:
		print_chip_action(alike);
		return;
	case VERB_NEXT_HEIST:
		legal_print(alike->out, "next_heist", alike->game_path,
		            "/heists");
		return;
	case VERB_CONFIRM_ROUND:
		legal_print(alike->out, "confirm_round", alike->game_path,
		            "/round/confirmations");
		return;
	case VERB_PROPOSE:
		print_proposals(alike);
		return;
	case VERB_VOTE:
		print_votes(alike);
		return;
	case VERB_CHOOSE:
		print_choices(alike);
		return;
	case VERB_ANSWER:
		print_answers(alike);
		return;
	}
}

void gang_print_legal(const void *from, const char *game_path,
                      struct json_out *out)
{
	const struct gang_view *view = from;
	const struct action *end = view->legal + view->legal_count;
	struct alike alike = { view, game_path, out, view->legal, 0 };

	for (; alike.actions < end; alike.actions += alike.count) {
		alike.count = 1;
		while (alike.actions + alike.count < end &&
		       is_alike(alike.actions, alike.actions + alike.count))
			alike.count++;
		print_alike(&alike);
	}
}
