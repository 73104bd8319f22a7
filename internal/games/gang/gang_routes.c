/*
 * The Gang's own routes.  A decoder checks only what holds in every state of a
 * game; the rules check the rest when the move is decided.
 */
#include <assert.h>
#include <string.h>

#include "base/json_out.h"
#include "games/gang/gang_game.h"
#include "games/gang/gang_handler.h"
#include "games/gang/rules/challenge.h"
#include "games/gang/rules/color.h"
#include "games/gang/rules/gang.h"
#include "games/gang/rules/gang_print.h"
#include "games/gang/rules/gang_view.h"
#include "games/gang/rules/heist.h"
#include "http/problem.h"
#include "service/stored_game.h"

/* --- moves --------------------------------------------------------------- */

/* Read the chip from a command, whose path does not have it. */
static void read_chip(struct call *call)
{
	const char *colors[COLOR_COUNT];

	for (unsigned i = 0; i < COLOR_COUNT; i++)
		colors[i] = color_code((enum color)i);
	body_need(call->body, "color", "Say the color of the chip.");
	body_need(call->body, "stars", "Say how many stars the chip has.");
	call->path.of_game[PARAM_COLOR] =
		(unsigned)body_choice(call->body, "color", colors, COLOR_COUNT,
	                              0);
	call->path.of_game[PARAM_STARS] =
		(unsigned)body_int(call->body, "stars", 1, TABLE_SEATS_MAX, 1);
}

enum err gang_decode_chip(struct call *call)
{
	if (!call->path.of_game[PARAM_STARS])
		read_chip(call);
	call->wanted.action.args[ARG_COLOR] =
		(uint8_t)call->path.of_game[PARAM_COLOR];
	call->wanted.action.args[ARG_STARS] =
		(uint8_t)call->path.of_game[PARAM_STARS];
	return ERR_OK;
}

enum err gang_decode_take(struct call *call)
{
	call->wanted.action.args[ARG_FROM] =
		(uint8_t)body_word_or_int(call->body, "from", "center", 1,
	                                  GANG_PLAYERS_MAX, CHIP_FROM_ANYWHERE);
	return gang_decode_chip(call);
}

/* --- specialists and questions ------------------------------------------- */

/* The number of a value's word, from 1; or VALUE_ABSENT. */
static uint8_t decode_value(struct body *body, enum value_kind kind,
                            bool needed)
{
	const char *words[CARD_RANKS];
	size_t count = gang_value_max(kind);

	assert(count <= ARRAY_LEN(words));
	for (unsigned i = 0; i < count; i++)
		words[i] = gang_value_text(kind, i + 1);
	if (needed)
		body_need(body, "value", "A value is needed.");
	size_t chosen = body_choice(body, "value", words, count, count);
	return chosen < count ? (uint8_t)(chosen + 1) : VALUE_ABSENT;
}

static uint8_t decode_seat(struct body *body, const char *name)
{
	return (uint8_t)body_int(body, name, 1, GANG_PLAYERS_MAX, 0);
}

/* The specialist in play decides which other members are needed. */
enum err gang_decode_propose(struct call *call)
{
	body_need(call->body, "seat", "A seat is needed: who is to do it.");
	call->wanted.action.args[ARG_SEAT] = decode_seat(call->body, "seat");
	call->wanted.action.args[ARG_TARGET] =
		decode_seat(call->body, "target_seat");
	call->wanted.action.args[ARG_VALUE] =
		decode_value(call->body, VALUE_RANK, false);
	return ERR_OK;
}

enum err gang_decode_vote(struct call *call)
{
	body_need(call->body, "agree", "Say true or false.");
	call->wanted.action.args[ARG_AGREES] =
		body_bool(call->body, "agree", false);
	return ERR_OK;
}

static uint8_t decode_card(struct call *call)
{
	const char *text = body_string(call->body, "card", false);
	uint8_t card = CARD_NONE;

	if (text && !card_parse(text, strlen(text), &card))
		problem_fault(call->req, "/card", "not_one_of",
		              "A card is a rank of 23456789TJQKA and a suit of "
		              "cdhs.");
	return card;
}

/* Either a card, or "looked". */
enum err gang_decode_choose(struct call *call)
{
	bool has_card = body_has(call->body, "card");
	bool has_looked = body_has(call->body, "looked");
	call->wanted.action.args[ARG_CARD] = decode_card(call);
	if (!body_bool(call->body, "looked", true))
		problem_fault(call->req, "/looked", "not_allowed",
		              "Say it when you have looked: true.");
	if (!has_looked)
		body_need(call->body, "card",
		          "A card, or \"looked\": true, is needed.");
	if (has_card && has_looked)
		problem_fault(call->req, "/looked", "not_allowed",
		              "Send a card or \"looked\", not both.");
	if (has_looked)
		call->wanted.action.args[ARG_CARD] = CHOICE_LOOKED;
	return ERR_OK;
}

/* The challenges with a question, in order of their numbers. */
static size_t list_questions(const char **codes, unsigned *numbers)
{
	size_t count = 0;

	for (unsigned number = 1; number <= CHALLENGE_MAX; number++) {
		if (gang_challenge_get(number)->asks == VALUE_NONE)
			continue;
		codes[count] = gang_challenge_get(number)->code;
		numbers[count++] = number;
	}
	return count;
}

enum err gang_decode_answer(struct call *call)
{
	const char *codes[CHALLENGE_MAX];
	unsigned numbers[CHALLENGE_MAX];
	size_t count = list_questions(codes, numbers);

	body_need(call->body, "question", "Say which question this answers.");
	size_t chosen =
		body_choice(call->body, "question", codes, count, count);
	if (chosen < count) {
		call->wanted.action.args[ARG_QUESTION] =
			(uint8_t)numbers[chosen];
		call->wanted.action.args[ARG_ANSWER] =
			decode_value(call->body,
		                     gang_challenge_get(numbers[chosen])->asks,
		                     true);
	} else {
		/* Only the question says which values it allows. */
		(void)body_string(call->body, "value", true);
	}
	return ERR_OK;
}

/* --- summaries ----------------------------------------------------------- */

enum err gang_encode_heists(struct call *call)
{
	const struct gang_view *view = stored_game_view(call);
	struct json_out out;

	answer_begin(call, &out, ANSWER_VIEW_MAX);
	json_object(&out);
	json_key_array(&out, "heists");
	for (unsigned i = 0; i < view->summaries_count; i++)
		gang_print_summary(&view->summaries[i], &out);
	json_array_end(&out);
	json_object_end(&out);
	return answer_end(call, &out, 200);
}

enum err gang_encode_heist(struct call *call)
{
	const struct gang_view *view = stored_game_view(call);
	const struct summary *summary =
		gang_view_summary(view, call->path.of_game[PARAM_NUMBER]);
	struct json_out out;

	if (!summary)
		return ERR_NO_SUCH_HEIST;
	answer_begin(call, &out, ANSWER_VIEW_MAX);
	gang_print_summary(summary, &out);
	return answer_end(call, &out, 200);
}

enum err gang_encode_showdown(struct call *call)
{
	const struct gang_view *view = stored_game_view(call);
	struct showdown showdown;
	struct json_out out;

	if (call->game.table.status == STATUS_LOBBY)
		return ERR_GAME_NOT_STARTED;
	if (!gang_view_showdown(view, &showdown))
		return ERR_SHOWDOWN_NOT_REACHED;
	answer_begin(call, &out, ANSWER_VIEW_MAX);
	json_object(&out);
	json_key_int(&out, "heist", showdown.heist);
	gang_print_showdown(&showdown, &out);
	json_object_end(&out);
	return answer_end(call, &out, 200);
}
