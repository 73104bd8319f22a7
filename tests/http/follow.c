#include "follow.h"

#include <stdlib.h>
#include <string.h>

#include "expect.h"
#include "play.h"

enum { FOLLOW_STEPS_MAX = 5000 };

static unsigned any_of(size_t count)
{
	return (unsigned)rand() % (unsigned)count;
}

/* The first one often, so that those who have to agree do so some day. */
static unsigned some_option(struct json_object *options)
{
	return any_of(4) ? 0 : any_of(json_object_array_length(options));
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
	struct json_object *whole = NULL;
	if (body)
		json_object_deep_copy(body, &whole, NULL);
	else
		whole = json_object_new_object();
	if (choose) {
		json_object_object_foreach(choose, name, options)
		{
			json_object_object_add(
				whole, name,
				json_object_get(json_object_array_get_idx(
					options, some_option(options))));
		}
	}
	const char *text = json_object_to_json_string(whole);
	text = arena_text(&story->arena, text, strlen(text));
	json_object_put(whole);
	return text;
}

/* A move that somebody might try. */
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
	static const char *const plain[] = { "/heists", "/start", "/rematch" };
	static const char *const others[] = { "/specialist/proposals",
		                              "/specialist/votes", "/choices",
		                              "/showdown/answers" };
	unsigned what = any_of(12);

	if (what < ARRAY_LEN(plain))
		return (struct attempt){ plain[what], NULL };
	if (what < ARRAY_LEN(plain) + ARRAY_LEN(others)) {
		const char *path = others[what - ARRAY_LEN(plain)];
		return (struct attempt){ path, random_body(story, path) };
	}
	return (struct attempt){
		arena_printf(&story->arena, "/chips/%s/%u/%s",
		             colors[any_of(4)], 1 + any_of(6),
		             any_of(2) ? "take" : "return"),
		NULL,
	};
}

/* True if an entry allows this value of a member: fixed, or to choose. */
static bool allows_member(struct json_object *entry, const char *name,
                          struct json_object *value)
{
	struct json_object *part = NULL;
	struct json_object *allowed;

	json_object_object_get_ex(entry, "body", &part);
	if (json_object_object_get_ex(part, name, &allowed))
		return json_object_equal(allowed, value);
	part = NULL;
	json_object_object_get_ex(entry, "choose", &part);
	if (!json_object_object_get_ex(part, name, &allowed))
		return false;
	for (size_t i = 0; i < json_object_array_length(allowed); i++) {
		if (json_object_equal(json_object_array_get_idx(allowed, i),
		                      value))
			return true;
	}
	return false;
}

/* All members of the body, and no fewer than are asked for. */
static bool allows_body(struct json_object *entry, const char *text)
{
	struct json_object *body = text ? json_tokener_parse(text) : NULL;
	struct json_object *part;
	int missing = body ? -json_object_object_length(body) : 0;
	bool allowed = true;

	if (json_object_object_get_ex(entry, "body", &part) && part)
		missing += json_object_object_length(part);
	if (json_object_object_get_ex(entry, "choose", &part) && part)
		missing += json_object_object_length(part);
	if (body) {
		json_object_object_foreach(body, name, value)
		{
			allowed = allowed && allows_member(entry, name, value);
		}
	}
	json_object_put(body);
	return allowed && !missing;
}

/* What is not listed is refused. */
static void try_unlisted(struct story *story, struct actor *actor,
                         struct json_object *legal)
{
	struct attempt attempt = random_attempt(story);
	const char *href = story_below(story, actor, attempt.path);

	for (size_t i = 0; i < json_object_array_length(legal); i++) {
		struct json_object *entry = json_object_array_get_idx(legal, i);
		if (strcmp(expect_text(story, entry, ".href"), href) == 0 &&
		    allows_body(entry, attempt.body))
			return;
	}
	struct exchange *refused = story_request(story, actor, "POST", href);
	if (attempt.body)
		story_body(story, refused, attempt.body, strlen(attempt.body));
	story_do(story, refused);
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

/* Those who are waited for, and now and then another. */
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
		if (strcmp(status, "won") == 0 || strcmp(status, "lost") == 0) {
			expect_all(story, view,
			           ".you.legal_actions[*].action =="
			           " [\"rematch\"]");
			return;
		}
		try_unlisted(story, actor, legal);
		if (json_object_array_length(legal) > 0 &&
		    is_eager(story, actor, view->json))
			do_listed(story, actor, legal);
	}
	story_fail(story, NULL, "the game does not end");
}
