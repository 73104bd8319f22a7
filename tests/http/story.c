/*
 * story.c - actors, games and requests of a running story.
 *
 * Actors are made when a line first names them.  They learn their token, seat
 * and game from answers, as a client would; the newest game is first in the
 * list.  Every request passes watch_before() and watch_after(), which check
 * what holds for all answers.
 */
#include "story.h"

#include <stdlib.h>
#include <string.h>

#include "auth/token.h"
#include "client.h"
#include "expect.h"
#include "watch.h"

struct actor *story_actor(struct story *story, const char *name)
{
	for (size_t i = 0; i < story->actors_count; i++) {
		if (strcmp(story->actors[i].name, name) == 0)
			return &story->actors[i];
	}
	if (story->actors_count == STORY_ACTORS_MAX)
		story_fail(story, NULL, "too many actors");
	struct actor *actor = &story->actors[story->actors_count++];
	*actor = (struct actor){ .name = name };
	return actor;
}

void story_set(struct story *story, const char *name, const char *text)
{
	struct variable *variable =
		arena_zalloc(&story->arena, sizeof(*variable));

	*variable = (struct variable){ name, text, story->variables };
	story->variables = variable;
}

const char *story_below(struct story *story, const struct actor *actor,
                        const char *path)
{
	if (!actor->game)
		story_fail(story, NULL, "%s sits at no table", actor->name);
	return arena_printf(&story->arena, "/v1/games/%s%s", actor->game->id,
	                    path);
}

const char *field_find(const struct field *fields, const char *name)
{
	for (; fields; fields = fields->next) {
		if (strcmp(fields->name, name) == 0)
			return fields->value;
	}
	return NULL;
}

/* --- requests ------------------------------------------------------------- */

void story_field(struct story *story, struct exchange *exchange,
                 const char *name, const char *value)
{
	struct field **at = &exchange->sent;

	while (*at && strcmp((*at)->name, name) != 0)
		at = &(*at)->next;
	if (*at)
		*at = (*at)->next;
	if (!value)
		return;
	struct field *field = arena_zalloc(&story->arena, sizeof(*field));
	*field = (struct field){ name, value, exchange->sent };
	exchange->sent = field;
}

struct exchange *story_request(struct story *story, struct actor *actor,
                               const char *method, const char *target)
{
	struct exchange *exchange =
		arena_zalloc(&story->arena, sizeof(*exchange));

	*exchange = (struct exchange){
		.actor = actor,
		.method = method,
		.target = target,
		.next = story->exchanges,
	};
	story->exchanges = exchange;
	if (actor && actor->token)
		story_field(story, exchange, "authorization",
		            arena_printf(&story->arena, "Bearer %s",
		                         actor->token));
	return exchange;
}

void story_body(struct story *story, struct exchange *exchange,
                const char *body, size_t len)
{
	exchange->body = body;
	exchange->body_len = len;
	story_field(story, exchange, "content-type", "application/json");
}

/* --- answers -------------------------------------------------------------- */

static struct game *find_game(struct story *story, const char *id)
{
	struct game *game = story->games;

	while (game && strcmp(game->id, id) != 0)
		game = game->next;
	if (game)
		return game;
	game = arena_zalloc(&story->arena, sizeof(*game));
	*game = (struct game){
		.id = arena_strndup(&story->arena, id, strlen(id)),
		.next = story->games,
	};
	story->games = game;
	return game;
}

/* An actor who takes over a seat gets the cards that lay there. */
static void take_over(struct story *story, struct actor *actor)
{
	for (size_t i = 0; i < story->actors_count; i++) {
		struct actor *before = &story->actors[i];

		if (!before->is_gone || before->game != actor->game ||
		    before->seat != actor->seat || before->cards_count == 0)
			continue;
		memcpy(actor->cards, before->cards, sizeof(actor->cards));
		actor->cards_count = before->cards_count;
		before->cards_count = 0;
	}
}

/* An actor who gets a token sits at that game from now on. */
static void sit_down(struct story *story, struct exchange *exchange)
{
	struct actor *actor = exchange->actor;
	const char *token = expect_text(story, exchange->json, ".token");
	const char *code = expect_text(story, exchange->json, ".invite_code");

	if (!actor || exchange->status != 201 || !*token)
		return;
	actor->token = arena_strndup(&story->arena, token, strlen(token));
	struct game *game = find_game(story, expect_text(story, exchange->json,
	                                                 ".game.id"));
	if (actor->game == game && !actor->is_gone)
		return; /* a renewed token: the actor sits there already */
	actor->seat = expect_int(story, exchange->json, ".seat");
	actor->cards_count = 0;
	actor->known_count = 0;
	actor->revealed = false;
	actor->is_gone = false;
	actor->game = game;
	take_over(story, actor);
	story_set(story, "game", actor->game->id);
	if (*code) {
		actor->game->code =
			arena_strndup(&story->arena, code, strlen(code));
		story_set(story, "code", actor->game->code);
	}
}

/* All who sat at a game sit at its rematch, as they did before. */
static void sit_down_again(struct story *story, struct exchange *exchange)
{
	struct game *before = exchange->actor ? exchange->actor->game : NULL;
	struct json_object *json = exchange->json;

	if (!before || exchange->status != 201 ||
	    strcmp(expect_text(story, json, ".rematch_of.id"), before->id) != 0)
		return;
	struct game *game = find_game(story, expect_text(story, json, ".id"));
	for (size_t i = 0; i < story->actors_count; i++) {
		struct actor *actor = &story->actors[i];
		if (actor->game == before)
			actor->game = game;
	}
	story_set(story, "game", game->id);
}

/* The actor at the seat that a request is to free; NULL if it frees none. */
static struct actor *find_leaving(struct story *story,
                                  const struct exchange *exchange)
{
	if (strcmp(exchange->method, "DELETE") != 0)
		return NULL;
	for (size_t i = 0; i < story->actors_count; i++) {
		struct actor *actor = &story->actors[i];

		if (!actor->game || actor->is_gone)
			continue;
		const char *seat =
			arena_printf(&story->arena, "/players/%d", actor->seat);
		if (strcmp(exchange->target, story_below(story, actor, seat)) ==
		    0)
			return actor;
	}
	return NULL;
}

/*
 * An actor who has left keeps a token that is not valid any more; before the
 * start the actors behind close up.
 */
static void stand_up(struct story *story, const struct exchange *exchange)
{
	struct actor *leaving = exchange->leaving;

	if (!leaving || exchange->status != 204)
		return;
	leaving->is_gone = true;
	for (size_t i = 0; i < story->actors_count; i++) {
		struct actor *actor = &story->actors[i];

		if (actor->game == leaving->game && !actor->is_gone &&
		    actor->seat > leaving->seat && !actor->game->started)
			actor->seat--;
	}
}

void story_send(struct story *story, struct exchange *exchange)
{
	watch_before(story, exchange);
	exchange->leaving = find_leaving(story, exchange);
	client_send(story, exchange);
}

void story_receive(struct story *story, struct exchange *exchange)
{
	if (!client_wait(story, exchange, STORY_WAIT_MS) || !exchange->status)
		story_fail(story, exchange, "no answer came");
	sit_down(story, exchange);
	sit_down_again(story, exchange);
	stand_up(story, exchange);
	watch_after(story, exchange);
}

void story_do(struct story *story, struct exchange *exchange)
{
	story_send(story, exchange);
	story_receive(story, exchange);
}
