/*
 * follow.c - plays a game by legal_actions alone, at random.
 *
 * In each step an actor does one of the listed actions, which must succeed, or
 * tries another one, which must be refused.  Actors who are waited for act most
 * often.  The number of steps is bounded, so a game that cannot end fails.
 */
#include "follow.h"

#include <string.h>

#include "choose.h"
#include "expect.h"
#include "play.h"

enum { FOLLOW_STEPS_MAX = 5000 };

/* A move that an actor may try. */
struct attempt {
	const char *path;
	const char *body; /* NULL: none */
};

static const char *random_body(struct story *story, const char *path)
{
	static const char ranks[] = "23456789TJQKA";
	static const char suits[] = "cdhs";
	char rank = ranks[any_of(13)];
	char suit = suits[any_of(4)];

	if (strcmp(path, "/specialist/votes") == 0)
		return any_of(2) ? "{\"agree\":true}" : "{\"agree\":false}";
	if (strcmp(path, "/choices") == 0)
		return any_of(3)
		               ? arena_printf(&story->arena,
		                              "{\"card\":\"%c%c\"}", rank, suit)
		               : "{\"looked\":true}";
	if (strcmp(path, "/showdown/answers") == 0)
		return any_of(2) ? arena_printf(&story->arena,
		                                "{\"question\":\"retina_scan\","
		                                "\"value\":\"%c\"}",
		                                rank)
		                 : "{\"question\":\"fingerprint_scan\","
		                   "\"value\":\"pair\"}";
	if (any_of(3) == 0)
		return arena_printf(&story->arena,
		                    "{\"seat\":%u,\"value\":\"%c\"}",
		                    1 + any_of(6), rank);
	return any_of(2) ? arena_printf(&story->arena, "{\"seat\":%u}",
	                                1 + any_of(6))
	                 : arena_printf(&story->arena,
	                                "{\"seat\":%u,\"target_seat\":%u}",
	                                1 + any_of(6), 1 + any_of(6));
}

static struct attempt random_attempt(struct story *story)
{
	static const char *const colors[] = { "white", "yellow", "orange",
		                              "red" };
	static const char *const plain[] = { "/heists", "/start", "/rematch",
		                             "/round/confirmations" };
	static const char *const others[] = { "/specialist/proposals",
		                              "/specialist/votes", "/choices",
		                              "/showdown/answers" };
	unsigned what = any_of(13);

	if (what < ARRAY_LEN(plain))
		return (struct attempt){ plain[what], NULL };
	if (what < ARRAY_LEN(plain) + ARRAY_LEN(others)) {
		const char *path = others[what - ARRAY_LEN(plain)];
		return (struct attempt){ path, random_body(story, path) };
	}
	bool takes = any_of(2);
	unsigned from = any_of(7);
	return (struct attempt){
		arena_printf(&story->arena, "/chips/%s/%u/%s",
		             colors[any_of(4)], 1 + any_of(6),
		             takes ? "take" : "return"),
		!takes ? NULL
		: from ? arena_printf(&story->arena, "{\"from\":%u}", from)
		       : "{\"from\":\"center\"}",
	};
}

/* A gangster that the view names, or any at all. */
static const char *random_gangster(struct story *story, const char *view)
{
	static const char families[] = "fmba";
	static const unsigned copies[] = { 5, 4, 3, 2, 1 };
	unsigned rank = any_of(5);
	const char *at = any_of(4) ? view + any_of(strlen(view)) : "";

	for (; *at; at++) {
		if (at[0] == '"' && at[1] && strchr(families, at[1]) &&
		    at[2] >= '0' && at[2] <= '4' && at[3] && at[4] == '"')
			return arena_strndup(&story->arena, at + 1, 3);
	}
	return arena_printf(&story->arena, "%c%u%c", families[any_of(4)], rank,
	                    'a' + any_of(copies[rank]));
}

/* "\"f0a\"" or "\"f0a\",\"m1b\"" */
static const char *random_list(struct story *story, const char *view,
                               unsigned count)
{
	const char *list = arena_printf(&story->arena, "\"%s\"",
	                                random_gangster(story, view));

	while (--count > 0)
		list = arena_printf(&story->arena, "%s,\"%s\"", list,
		                    random_gangster(story, view));
	return list;
}

static const char *random_turn_body(struct story *story, const char *view,
                                    const char *path)
{
	const char *card = random_list(story, view, 1);
	const char *two = random_list(story, view, 2);
	unsigned count = 1 + any_of(3);

	if (strcmp(path, "/turn/accountant") == 0)
		return arena_printf(&story->arena,
		                    "{\"card\":%s,\"give\":[%s],\"take\":[%s]}",
		                    card, random_list(story, view, count),
		                    random_list(story, view, count));
	if (strcmp(path, "/turn/brute") == 0)
		return arena_printf(&story->arena,
		                    "{\"card\":%s,\"target\":%s,\"by\":%u}",
		                    card, random_list(story, view, 1),
		                    any_of(6));
	if (strcmp(path, "/turn/take") == 0 && any_of(3))
		return arena_printf(&story->arena,
		                    "{\"card\":%s,\"pay\":[%s],\"keep\":%.5s}",
		                    card, two, two);
	return arena_printf(&story->arena, "{\"card\":%s}", card);
}

static struct attempt random_turn(struct story *story, const char *view)
{
	static const char *const paths[] = {
		"/turn/refill", "/turn/accountant", "/turn/brute", "/turn/take",
		"/turn/take",   "/rematch",         "/start",
	};
	const char *path = paths[any_of(ARRAY_LEN(paths))];

	return (struct attempt){
		path,
		strncmp(path, "/turn", 5) == 0
			? random_turn_body(story, view, path)
			: NULL,
	};
}

/* A move that is not listed is refused. */
static void try_unlisted(struct story *story, const struct exchange *view,
                         struct json_object *legal)
{
	struct actor *actor = view->actor;
	bool is_famiglia = strcmp(expect_text(story, view->json, ".ruleset"),
	                          "famiglia") == 0;
	struct attempt attempt = is_famiglia ? random_turn(story, view->answer)
	                                     : random_attempt(story);
	const char *href = story_below(story, actor, attempt.path);

	for (size_t i = 0; i < json_object_array_length(legal); i++) {
		struct json_object *entry = json_object_array_get_idx(legal, i);
		if (strcmp(expect_text(story, entry, ".href"), href) == 0 &&
		    choose_allows(entry, attempt.body))
			return;
	}
	struct exchange *refused = story_request(story, actor, "POST", href);
	if (attempt.body)
		story_body(story, refused, attempt.body, strlen(attempt.body));
	story_do(story, refused);
	if (refused->status < 400)
		story_fail(story, refused, "it was not in legal_actions");
}

/* The element of an action; NULL: it is not listed. */
static struct json_object *find_listed(struct story *story,
                                       struct json_object *legal,
                                       const char *action)
{
	for (size_t i = 0; i < json_object_array_length(legal); i++) {
		struct json_object *entry = json_object_array_get_idx(legal, i);

		if (strcmp(expect_text(story, entry, ".action"), action) == 0)
			return entry;
	}
	return NULL;
}

/*
 * Any of them; but rarely a pass, two of which end a game, and mostly the
 * confirmation of a round, of which each moved chip needs all anew.
 */
static struct json_object *draw_listed(struct story *story,
                                       struct json_object *legal)
{
	size_t count = json_object_array_length(legal);
	struct json_object *entry = find_listed(story, legal, "confirm_round");

	if (entry && any_of(8))
		return entry;
	entry = json_object_array_get_idx(legal, any_of(count));
	while (count > 1 && any_of(8) &&
	       strcmp(expect_text(story, entry, ".action"), "pass") == 0)
		entry = json_object_array_get_idx(legal, any_of(count));
	return entry;
}

/* One of the listed moves, by either of its URLs: it must succeed. */
static void do_listed(struct story *story, struct actor *actor,
                      struct json_object *legal)
{
	struct json_object *entry = draw_listed(story, legal);
	struct chosen chosen = choose_from(&story->arena, entry);
	bool is_command = any_of(2);
	struct exchange *exchange =
		is_command
			? story_request(story, actor, "POST",
	                                story_below(story, actor, "/actions"))
			: story_request(story, actor,
	                                expect_text(story, entry, ".method"),
	                                expect_text(story, entry, ".href"));
	const char *body = is_command ? chosen.command : chosen.body;

	story_body(story, exchange, body, strlen(body));
	story_do(story, exchange);
	if (exchange->status != 200 && exchange->status != 201)
		story_fail(story, exchange, "it was in legal_actions");
}

/* Choose an actor for whom the game waits, and now and then another. */
static bool is_eager(struct story *story, const struct actor *actor,
                     struct json_object *view)
{
	struct json_object *waiting;

	if (!expect_find(story, view, ".heist.waiting_for", &waiting) ||
	    json_object_array_length(waiting) == 0)
		return true;
	for (size_t i = 0; i < json_object_array_length(waiting); i++) {
		if (json_object_get_int(json_object_array_get_idx(
			    waiting, i)) == actor->seat)
			return true;
	}
	return any_of(4) == 0;
}

void follow_legal(struct story *story, const char *arguments)
{
	struct seats seats = play_seats(story);

	(void)arguments;
	for (int step = 0; step < FOLLOW_STEPS_MAX; step++) {
		struct actor *actor = seats.actor[any_of(seats.count)];
		struct exchange *view = play_ask(story, actor, "GET", "");
		struct json_object *legal;

		expect_all(story, view, "200");
		if (!expect_find(story, view->json, ".you.legal_actions",
		                 &legal))
			story_fail(story, view, "no legal_actions");
		const char *status = expect_text(story, view->json, ".status");
		if (strcmp(status, "playing") != 0) {
			expect_all(story, view,
			           ".you.legal_actions[*].action =="
			           " [\"rematch\"]");
			return;
		}
		try_unlisted(story, view, legal);
		if (json_object_array_length(legal) > 0 &&
		    is_eager(story, actor, view->json))
			do_listed(story, actor, legal);
	}
	story_fail(story, NULL, "the game does not end");
}
