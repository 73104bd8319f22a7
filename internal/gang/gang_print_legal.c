/*
 * Legal actions as JSON.  The view lists every action with all its arguments,
 * and alike ones in a row; each row is printed as one element with the choices
 * that are left.
 */
#include <string.h>

#include "gang/challenge.h"
#include "gang/gang_print.h"
#include "gang/gang_print_part.h"

static char *append(char *at, const char *text)
{
	size_t len = strlen(text);

	memcpy(at, text, len + 1);
	return at + len;
}

enum { CHIP_PATH_MAX = 32 };

static void print_chip_action(const struct action *action,
                              const char *game_path, struct json_out *out)
{
	char stars[] = { '/', (char)('0' + action->args[ARG_STARS]), '\0' };
	char path[CHIP_PATH_MAX];
	char *at = append(path, "/chips/");

	at = append(at, color_code((enum color)action->args[ARG_COLOR]));
	at = append(at, stars);
	if (action->verb == VERB_TAKE) {
		append(at, "/take");
		ruleset_print_legal(out, "take_chip", game_path, path);
	} else {
		append(at, "/return");
		ruleset_print_legal(out, "return_chip", game_path, path);
	}
}

/*
 * Print each value of an argument once: a seat, or a value of a kind.  They
 * rise from action to action, and may begin again with another seat.
 */
static void print_args(const char *name, enum value_kind kind,
                       const struct action *actions, size_t count, unsigned arg,
                       struct json_out *out)
{
	unsigned last = 0;

	json_key_array(out, name);
	for (size_t i = 0; i < count; i++) {
		unsigned value = actions[i].args[arg];

		if (value <= last)
			continue;
		last = value;
		if (kind == VALUE_NONE)
			json_int(out, value);
		else
			json_string(out, gang_value_text(kind, value));
	}
	json_array_end(out);
}

/* With a target, each first seat has an element: the two must differ. */
static void print_proposals(const struct action *actions, size_t count,
                            const char *game_path, struct json_out *out)
{
	ruleset_begin_legal(out, "propose", game_path, "/specialist/proposals");
	json_key_object(out, "body");
	if (actions->args[ARG_TARGET])
		json_key_int(out, "seat", actions->args[ARG_SEAT]);
	json_object_end(out);
	json_key_object(out, "choose");
	if (actions->args[ARG_TARGET])
		print_args("target_seat", VALUE_NONE, actions, count,
		           ARG_TARGET, out);
	else
		print_args("seat", VALUE_NONE, actions, count, ARG_SEAT, out);
	if (actions->args[ARG_VALUE])
		print_args("value", VALUE_RANK, actions, count, ARG_VALUE, out);
	json_object_end(out);
	json_object_end(out);
}

static void print_votes(const struct action *actions, size_t count,
                        const char *game_path, struct json_out *out)
{
	ruleset_begin_legal(out, "vote", game_path, "/specialist/votes");
	json_key_object(out, "body");
	json_object_end(out);
	json_key_object(out, "choose");
	json_key_array(out, "agree");
	for (size_t i = 0; i < count; i++)
		json_bool(out, actions[i].args[ARG_AGREES]);
	json_array_end(out);
	json_object_end(out);
	json_object_end(out);
}

static void print_choices(const struct action *actions, size_t count,
                          const char *game_path, struct json_out *out)
{
	ruleset_begin_legal(out, "choose", game_path, "/choices");
	json_key_object(out, "body");
	if (actions->args[ARG_CARD] == CHOICE_LOOKED) {
		json_key_bool(out, "looked", true);
		json_object_end(out);
		json_key_null(out, "choose");
	} else {
		uint8_t cards[LEGAL_MAX];

		json_object_end(out);
		for (size_t i = 0; i < count; i++)
			cards[i] = actions[i].args[ARG_CARD];
		json_key_object(out, "choose");
		gang_print_cards("card", cards, (unsigned)count, out);
		json_object_end(out);
	}
	json_object_end(out);
}

static void print_answers(const struct action *actions, size_t count,
                          const char *game_path, struct json_out *out)
{
	const struct challenge *row =
		gang_challenge_get(actions->args[ARG_QUESTION]);

	ruleset_begin_legal(out, "answer", game_path, "/showdown/answers");
	json_key_object(out, "body");
	json_key_string(out, "question", row->code);
	json_object_end(out);
	json_key_object(out, "choose");
	print_args("value", row->asks, actions, count, ARG_ANSWER, out);
	json_object_end(out);
	json_object_end(out);
}

/* True if one element can stand for both actions. */
static bool is_alike(const struct action *first, const struct action *second)
{
	if (first->verb != second->verb)
		return false;
	switch ((enum gang_verb)first->verb) {
	case VERB_TAKE:
	case VERB_RETURN:
	case VERB_NEXT_HEIST:
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

static void print_alike(const struct action *actions, size_t count,
                        const char *game_path, struct json_out *out)
{
	switch ((enum gang_verb)actions->verb) {
	case VERB_TAKE:
	case VERB_RETURN:
		print_chip_action(actions, game_path, out);
		return;
	case VERB_NEXT_HEIST:
		ruleset_print_legal(out, "next_heist", game_path, "/heists");
		return;
	case VERB_PROPOSE:
		print_proposals(actions, count, game_path, out);
		return;
	case VERB_VOTE:
		print_votes(actions, count, game_path, out);
		return;
	case VERB_CHOOSE:
		print_choices(actions, count, game_path, out);
		return;
	case VERB_ANSWER:
		print_answers(actions, count, game_path, out);
		return;
	}
}

void gang_print_legal(const void *from, const char *game_path,
                      struct json_out *out)
{
	const struct gang_view *view = from;
	const struct action *at = view->legal;
	const struct action *end = at + view->legal_count;

	while (at < end) {
		size_t count = 1;

		while (at + count < end && is_alike(at, at + count))
			count++;
		print_alike(at, count, game_path, out);
		at += count;
	}
}
