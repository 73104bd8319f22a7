/*
 * params.c - the {parameters} of paths.  HTTP checks them by the rows that
 * route_table.c gives to each route; when the request is complete,
 * params_read() takes in what they are.
 */
#include "service/params.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "service/game.h"
#include "service/rulesets.h"

/* --- what they may be ----------------------------------------------------- */

static bool is_game_id(const char *text, size_t len, unsigned *value)
{
	struct uuid id;

	(void)value;
	return uuid_parse(text, len, &id);
}

static bool is_code(const char *text, size_t len, unsigned *value)
{
	char code[INVITE_LEN + 1];

	(void)value;
	return invite_parse(text, len, code);
}

bool params_read_number(const char *text, size_t len, unsigned most,
                        unsigned *value)
{
	if (len > 3 || text[0] == '0' || strspn(text, "0123456789") != len)
		return false;
	unsigned number = (unsigned)strtoul(text, NULL, 10);
	if (number > most)
		return false;
	*value = number;
	return true;
}

static bool read_seat(const char *text, size_t len, unsigned *value)
{
	return params_read_number(text, len, TABLE_SEATS_MAX, value);
}

static bool is_word(const char *text, size_t len, unsigned *value)
{
	(void)text;
	(void)len;
	(void)value;
	return true;
}

/* --- where they go -------------------------------------------------------- */

static void take_game_id(struct call *call, struct http_slice text, unsigned n)
{
	(void)n;
	(void)!uuid_parse(text.text, text.len, &call->game.id);
	uuid_print(call->game.id, call->game.text);
}

static void take_code(struct call *call, struct http_slice text, unsigned n)
{
	(void)n;
	call->path.has_code = true;
	(void)!invite_parse(text.text, text.len, call->path.code);
}

static void take_seat(struct call *call, struct http_slice text, unsigned seat)
{
	(void)text;
	call->path.seat = seat;
}

static void take_word(struct call *call, struct http_slice text, unsigned n)
{
	(void)n;
	call->path.word = arena_strndup(&call->req->arena, text.text, text.len);
}

/* --- the table ------------------------------------------------------------ */

static const struct http_param params[] = {
#define PARAM(name, read, take, refusal) { name, read, refusal },
#include "service/params.def"
};

static void (*const takers[])(struct call *, struct http_slice, unsigned) = {
#define PARAM(name, read, take, refusal) take,
#include "service/params.def"
};

static const struct http_param *find(const struct http_param *rows,
                                     size_t count, const char *name, size_t len)
{
	for (size_t i = 0; i < count; i++) {
		if (strlen(rows[i].name) == len &&
		    memcmp(rows[i].name, name, len) == 0)
			return &rows[i];
	}
	return NULL;
}

void params_find(struct http_route *http)
{
	const struct route *route = http->user;
	const struct game *game =
		route->rules ? rulesets_game(route->rules) : NULL;
	const char *at = http->path;

	for (size_t i = 0; (at = strchr(at, '{')); i++) {
		size_t len = strcspn(++at, "}");
		const struct http_param *param =
			find(params, ARRAY_LEN(params), at, len);

		if (!param && game)
			param = find(game->params, game->params_count, at, len);
		assert(param && i < HTTP_PARAMS_MAX);
		http->params[i] = param;
	}
}

static void take(struct call *call, const struct http_param *param,
                 struct http_slice text)
{
	unsigned value = 0;
	bool good = param->read(text.text, text.len, &value);

	assert(good); /* HTTP has refused other texts */
	(void)good;
	for (size_t i = 0; i < ARRAY_LEN(params); i++) {
		if (param == &params[i]) {
			takers[i](call, text, value);
			return;
		}
	}
	const struct game *game = rulesets_game(call->route->rules);
	call->path.of_game[param - game->params] = value;
}

void params_read(struct call *call)
{
	const struct http_request *req = call->req;

	for (size_t i = 0; i < HTTP_PARAMS_MAX && req->route->params[i]; i++)
		take(call, req->route->params[i], req->params[i]);
}
