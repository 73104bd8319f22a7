#include "play.h"

#include <stdlib.h>
#include <string.h>

#include "expect.h"
#include "text.h"

enum { SEATS_MAX = 6, FOLLOW_STEPS_MAX = 5000 };

/* Who sits at the newest game of the story; seat 1 is [0]. */
struct seats {
	size_t count;
	struct actor *actor[SEATS_MAX];
};

static struct seats seated(struct story *story)
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

static struct exchange *ask(struct story *story, struct actor *actor,
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
	return ask(story, actor, "POST",
	           arena_printf(&story->arena, "/chips/%s/%u/take", color,
	                        stars));
}

/* The same in a heist that may have begun, where it may be held already. */
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

	if (strcmp(now, color) == 0 && strcmp(phase, "over") != 0)
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
		const char *name = arena_text(&story->arena, word, len - 1);
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
	struct exchange *view = ask(story, seats->actor[0], "GET", "");
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
	text = arena_text(&story->arena, text, strlen(text));
	json_object_put(body);
	story_body(story, exchange, text, strlen(text));
	story_do(story, exchange);
	expect_all(story, exchange, "200");
	for (size_t i = 0; i < seats->count; i++)
		places[i] = expect_int(story, exchange->json,
		                       arena_printf(&story->arena,
		                                    ".results[%zu].place", i));
}

/* How many stars a seat takes: 1 for the weakest hand. */
static unsigned stars_of(const int *places, size_t count, size_t seat)
{
	unsigned stars = 1;

	for (size_t other = 0; other < count; other++)
		stars += places[other] < places[seat] ||
		         (places[other] == places[seat] && other < seat);
	return stars;
}

/* Deal the next heist if the present one is over.  Answers its round. */
static int deal(struct story *story, struct actor *actor)
{
	struct exchange *view = ask(story, actor, "GET", "");

	expect_all(story, view, "200 .status == \"playing\"");
	if (strcmp(expect_text(story, view->json, ".heist.phase"), "over") ==
	    0) {
		view = ask(story, actor, "POST", "/heists");
		expect_all(story, view, "201 .heist.phase == \"chips\"");
	}
	return expect_int(story, view->json, ".heist.round");
}

void play_heist(struct story *story, const char *arguments)
{
	static const char *const colors[] = { "white", "yellow", "orange" };
	struct seats seats = seated(story);
	bool right = text_take(&arguments, "right");
	struct exchange *last = NULL;
	int places[SEATS_MAX];
	bool all_equal = true;

	if (!right && !text_take(&arguments, "wrong"))
		story_fail(story, NULL, "heist right, or heist wrong?");
	for (size_t round = (size_t)deal(story, seats.actor[0]) - 1;
	     round < ARRAY_LEN(colors); round++) {
		for (size_t i = 0; i < seats.count; i++)
			last = hold(story, seats.actor[i], colors[round],
			            (unsigned)i + 1);
		expect_ended(story, last, colors[round]);
	}
	find_places(story, &seats, places);
	for (size_t i = 0; i < seats.count; i++) {
		unsigned stars = stars_of(places, seats.count, i);
		if (!right)
			stars = (unsigned)seats.count + 1 - stars;
		last = hold(story, seats.actor[i], "red", stars);
		all_equal = all_equal && places[i] == places[0];
	}
	const char *outcome = right || all_equal ? "succeeded" : "failed";
	story_set(story, "outcome", outcome);
	expect_all(story, last,
	           arena_printf(&story->arena,
	                        ".heist.showdown.outcome == \"%s\"", outcome));
}

/* --- following legal_actions ---------------------------------------------- */

static unsigned any_of(size_t count)
{
	return (unsigned)rand() % (unsigned)count;
}

/* The body that an entry asks for, with what is left to choose chosen. */
static const char *body_of(struct story *story, struct json_object *entry)
{
	struct json_object *body = NULL;
	struct json_object *choose = NULL;

	json_object_object_get_ex(entry, "body", &body);
	json_object_object_get_ex(entry, "choose", &choose);
	if (!body && !choose)
		return NULL;
	struct json_object *whole = json_object_new_object();
	if (body)
		json_object_deep_copy(body, &whole, NULL);
	if (choose) {
		json_object_object_foreach(choose, name, options)
		{
			size_t count = json_object_array_length(options);
			json_object_object_add(
				whole, name,
				json_object_get(json_object_array_get_idx(
					options, any_of(count))));
		}
	}
	const char *text = json_object_to_json_string(whole);
	text = arena_text(&story->arena, text, strlen(text));
	json_object_put(whole);
	return text;
}

/* Some move, listed or not. */
static const char *random_move(struct story *story)
{
	static const char *const colors[] = { "white", "yellow", "orange",
		                              "red" };

	switch (any_of(12)) {
	case 0:
		return "/heists";
	case 1:
		return "/start";
	default:
		return arena_printf(&story->arena, "/chips/%s/%u/%s",
		                    colors[any_of(4)], 1 + any_of(6),
		                    any_of(2) ? "take" : "return");
	}
}

/* What is not listed is refused. */
static void try_unlisted(struct story *story, struct actor *actor,
                         struct json_object *legal)
{
	const char *path = random_move(story);
	const char *href = story_below(story, actor, path);

	for (size_t i = 0; i < json_object_array_length(legal); i++) {
		if (strcmp(expect_text(story,
		                       json_object_array_get_idx(legal, i),
		                       ".href"),
		           href) == 0)
			return;
	}
	struct exchange *refused = ask(story, actor, "POST", path);
	if (refused->status < 400)
		story_fail(story, refused, "it was not in legal_actions");
}

/* One of the listed moves, which must succeed. */
static void do_listed(struct story *story, struct actor *actor,
                      struct json_object *legal)
{
	size_t count = json_object_array_length(legal);
	struct json_object *entry =
		json_object_array_get_idx(legal, any_of(count));
	struct exchange *exchange =
		story_request(story, actor,
	                      expect_text(story, entry, ".method"),
	                      expect_text(story, entry, ".href"));
	const char *body = body_of(story, entry);

	if (body)
		story_body(story, exchange, body, strlen(body));
	story_do(story, exchange);
	if (exchange->status != 200 && exchange->status != 201)
		story_fail(story, exchange, "it was in legal_actions");
}

void play_follow(struct story *story, const char *arguments)
{
	struct seats seats = seated(story);

	(void)arguments;
	for (int step = 0; step < FOLLOW_STEPS_MAX; step++) {
		struct actor *actor = seats.actor[any_of(seats.count)];
		struct exchange *view = ask(story, actor, "GET", "");
		struct json_object *legal;

		expect_all(story, view, "200");
		if (!expect_find(story, view->json, ".you.legal_actions",
		                 &legal))
			story_fail(story, view, "no legal_actions");
		const char *status = expect_text(story, view->json, ".status");
		if (strcmp(status, "won") == 0 || strcmp(status, "lost") == 0) {
			expect_all(story, view, ".you.legal_actions == []");
			return;
		}
		try_unlisted(story, actor, legal);
		if (json_object_array_length(legal) > 0)
			do_listed(story, actor, legal);
	}
	story_fail(story, NULL, "the game does not end");
}
