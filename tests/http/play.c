/*
 * play.c - plays rounds and whole heists of The Gang over HTTP.
 *
 * It acts for all actors of the newest game.  The order of the red chips comes
 * from the service's own evaluation of every hand, read with each actor's
 * token; choices are the first option, answers are true.
 */
#include "play.h"

#include <stdlib.h>
#include <string.h>

#include "expect.h"
#include "text.h"

enum { HEIST_STEPS_MAX = 12 };

struct seats play_seats(struct story *story)
{
	struct seats seats = { .count = 0 };

	for (size_t i = 0; i < story->actors_count; i++) {
		struct actor *actor = &story->actors[i];
		if (!actor->game || actor->game != story->games ||
		    actor->is_gone)
			continue;
		seats.actor[actor->seat - 1] = actor;
		seats.count++;
	}
	if (seats.count == 0)
		story_fail(story, NULL, "there is no table to play at");
	for (size_t i = 0; i < seats.count; i++) {
		if (!seats.actor[i])
			story_fail(story, NULL, "nobody sits at seat %zu",
			           i + 1);
	}
	return seats;
}

struct exchange *play_ask(struct story *story, struct actor *actor,
                          const char *method, const char *path)
{
	struct exchange *exchange =
		story_request(story, actor, method,
	                      *path == '/' && strncmp(path, "/v1/", 4) == 0
	                              ? path
	                              : story_below(story, actor, path));

	story_do(story, exchange);
	return exchange;
}

static struct exchange *take(struct story *story, struct actor *actor,
                             const char *color, unsigned stars)
{
	return play_ask(story, actor, "POST",
	                arena_printf(&story->arena, "/chips/%s/%u/take", color,
	                             stars));
}

/* Take it in a heist under way, where the actor may hold it already. */
static struct exchange *hold(struct story *story, struct actor *actor,
                             const char *color, unsigned stars)
{
	struct exchange *exchange = take(story, actor, color, stars);

	if (strcmp(expect_code(exchange), "chip_already_held") != 0)
		expect_all(story, exchange, "200");
	return exchange;
}

/* The round after this color's: by then another color, or the showdown. */
static void expect_ended(struct story *story, const struct exchange *exchange,
                         const char *color)
{
	if (!exchange)
		story_fail(story, NULL, "a round of no chips");
	const char *now = expect_text(story, exchange->json, ".heist.color");
	const char *phase = expect_text(story, exchange->json, ".heist.phase");

	if (strcmp(now, color) == 0 &&
	    (strcmp(phase, "chips") == 0 || strcmp(phase, "choosing") == 0))
		story_fail(story, exchange, "the %s round has not ended",
		           color);
}

void play_round(struct story *story, const char *arguments)
{
	const char *color = text_word(story, &arguments);
	struct exchange *last = NULL;

	while (!text_end(&arguments)) {
		const char *word = text_word(story, &arguments);
		size_t len = strlen(word);
		const char *name = arena_strndup(&story->arena, word, len - 1);
		last = take(story, story_actor(story, name), color,
		            (unsigned)(word[len - 1] - '0'));
		expect_all(story, last, "200");
	}
	expect_ended(story, last, color);
}

/* --- a heist -------------------------------------------------------------- */

/* Ask how strong the hands are; equal ones have the same place. */
static void find_places(struct story *story, const struct seats *seats,
                        int places[SEATS_MAX])
{
	struct exchange *view = play_ask(story, seats->actor[0], "GET", "");
	struct json_object *body = json_object_new_object();
	struct json_object *hands = json_object_new_array();
	struct json_object *board;
	struct exchange *exchange;

	json_object_object_add(body, "hands", hands);
	if (!expect_find(story, view->json, ".heist.community_cards", &board))
		story_fail(story, view, "no community cards");
	for (size_t i = 0; i < seats->count; i++) {
		struct json_object *hand = NULL;
		json_object_deep_copy(board, &hand, NULL);
		for (size_t k = 0; k < seats->actor[i]->cards_count; k++)
			json_object_array_add(
				hand, json_object_new_string(
					      seats->actor[i]->cards[k]));
		json_object_array_add(hands, hand);
	}
	exchange = story_request(story, NULL, "POST", "/v1/rules/evaluations");
	const char *text =
		json_object_to_json_string_ext(body, JSON_C_TO_STRING_PLAIN);
	text = arena_strndup(&story->arena, text, strlen(text));
	json_object_put(body);
	story_body(story, exchange, text, strlen(text));
	story_do(story, exchange);
	expect_all(story, exchange, "200");
	for (size_t i = 0; i < seats->count; i++)
		places[i] = expect_int(story, exchange->json,
		                       arena_printf(&story->arena,
		                                    ".results[%zu].place", i));
}

/* The stars that a seat takes: 1 for the weakest hand. */
static unsigned stars_of(const int *places, size_t count, size_t seat)
{
	unsigned stars = 1;

	for (size_t other = 0; other < count; other++)
		stars += places[other] < places[seat] ||
		         (places[other] == places[seat] && other < seat);
	return stars;
}

/* Deal the next heist if the present one is over. */
static void deal(struct story *story, struct actor *actor)
{
	struct exchange *view = play_ask(story, actor, "GET", "");

	expect_all(story, view, "200 .status == \"playing\"");
	if (strcmp(expect_text(story, view->json, ".heist.phase"), "over") == 0)
		expect_all(story, play_ask(story, actor, "POST", "/heists"),
		           "201");
}

/* Ask for something with a body, which is done. */
static void tell(struct story *story, struct actor *actor, const char *path,
                 const char *body)
{
	struct exchange *exchange =
		story_request(story, actor, "POST",
	                      story_below(story, actor, path));

	story_body(story, exchange, body, strlen(body));
	story_do(story, exchange);
	expect_all(story, exchange, "200");
}

/* If the actor owes a private choice, choose the first option. */
static void make_choice(struct story *story, struct actor *actor)
{
	struct exchange *view = play_ask(story, actor, "GET", "");
	struct json_object *due;

	if (!expect_find(story, view->json, ".you.choice_due", &due) || !due)
		return;
	const char *card = expect_text(story, due, ".options[0]");
	tell(story, actor, "/choices",
	     *card ? arena_printf(&story->arena, "{\"card\":\"%s\"}", card)
	           : "{\"looked\":true}");
}

/* Each actor without a chip of this round takes the lowest free one. */
static void take_chips(struct story *story, const struct seats *seats,
                       const char *color)
{
	for (size_t i = 0; i < seats->count; i++) {
		struct exchange *view =
			play_ask(story, seats->actor[i], "GET", "");
		const char *chip =
			arena_printf(&story->arena,
		                     ".heist.chips[color=%s,seat=%d]", color,
		                     seats->actor[i]->seat);
		struct json_object *found;
		unsigned stars = 1;

		if (expect_find(story, view->json, chip, &found))
			continue;
		while (expect_int(story, view->json,
		                  arena_printf(&story->arena,
		                               ".heist.chips[color=%s,stars=%u]"
		                               ".seat",
		                               color, stars)) > 0)
			stars++;
		expect_all(story, take(story, seats->actor[i], color, stars),
		           "200");
	}
}

/* The red chips, by the strength of the hands or against it. */
static void take_red(struct story *story, const struct seats *seats, bool right)
{
	int places[SEATS_MAX];
	bool all_equal = true;

	find_places(story, seats, places);
	for (size_t i = 0; i < seats->count; i++) {
		unsigned stars = stars_of(places, seats->count, i);
		if (!right)
			stars = (unsigned)seats->count + 1 - stars;
		hold(story, seats->actor[i], "red", stars);
		all_equal = all_equal && places[i] == places[0];
	}
	if (!right && all_equal)
		story_try_again(story, "the hands tie, so no order is wrong");
}

/* All confirm the round, where that is needed to end it. */
static void confirm_round(struct story *story, const struct seats *seats)
{
	struct exchange *view = play_ask(story, seats->actor[0], "GET", "");

	if (strcmp(expect_text(story, view->json, ".round_end"), "confirmed") !=
	    0)
		return;
	for (size_t i = 0; i < seats->count; i++)
		expect_all(story,
		           play_ask(story, seats->actor[i], "POST",
		                    "/round/confirmations"),
		           "200");
}

/* The true answer to a question about the hand with the highest red chip. */
static const char *truth(struct story *story, struct actor *about,
                         const char *question)
{
	struct exchange *view = play_ask(story, about, "GET", "");

	if (strcmp(question, "retina_scan") == 0)
		return arena_strndup(&story->arena, about->cards[0], 1);
	return expect_text(story, view->json, ".you.ranking");
}

static void answer(struct story *story, const struct seats *seats,
                   struct json_object *question)
{
	const char *code = expect_text(story, question, ".code");
	int about = expect_int(story, question, ".about_seat");
	const char *body =
		arena_printf(&story->arena,
	                     "{\"question\":\"%s\",\"value\":\"%s\"}", code,
	                     truth(story, seats->actor[about - 1], code));

	for (size_t i = 0; i < seats->count; i++) {
		if (seats->actor[i]->seat != about)
			tell(story, seats->actor[i], "/showdown/answers", body);
	}
}

static void answer_all(struct story *story, const struct seats *seats,
                       struct json_object *view)
{
	struct json_object *questions;

	if (!expect_find(story, view, ".heist.showdown.questions", &questions))
		return;
	for (size_t i = 0; i < json_object_array_length(questions); i++)
		answer(story, seats, json_object_array_get_idx(questions, i));
}

static void play_chips(struct story *story, const struct seats *seats,
                       const char *color, bool right)
{
	if (strcmp(color, "red") == 0)
		take_red(story, seats, right);
	else
		take_chips(story, seats, color);
	confirm_round(story, seats);
}

void play_heist(struct story *story, const char *arguments)
{
	struct seats seats = play_seats(story);
	bool right = text_take(&arguments, "right");
	struct exchange *view;
	const char *phase;

	if (!right && !text_take(&arguments, "wrong"))
		story_fail(story, NULL, "heist right, or heist wrong?");
	deal(story, seats.actor[0]);
	for (int i = 0; i < HEIST_STEPS_MAX; i++) {
		view = play_ask(story, seats.actor[0], "GET", "");
		phase = expect_text(story, view->json, ".heist.phase");
		const char *color =
			expect_text(story, view->json, ".heist.color");
		if (strcmp(phase, "over") == 0)
			break;
		if (strcmp(phase, "answering") == 0)
			answer_all(story, &seats, view->json);
		else if (strcmp(phase, "choosing") == 0)
			for (size_t k = 0; k < seats.count; k++)
				make_choice(story, seats.actor[k]);
		else
			play_chips(story, &seats, color, right);
	}
	expect_all(story, view,
	           right ? ".heist.showdown.outcome == \"succeeded\""
	                 : ".heist.showdown.outcome == \"failed\"");
}
