/*
 * params.c - one function reads each kind of parameter.  A parameter is as it
 * was sent: a "%" in it matches nothing, so nothing is decoded.
 */
#include "service/params.h"

#include <stdlib.h>
#include <string.h>

#include "service/game.h"
#include "service/rulesets.h"

typedef bool read_fn(struct call *call, const char *text, size_t len);

static bool read_game_id(struct call *call, const char *text, size_t len)
{
	if (!uuid_parse(text, len, &call->game.id))
		return false;
	uuid_print(call->game.id, call->game.text);
	return true;
}

static bool read_code(struct call *call, const char *text, size_t len)
{
	call->path.has_code = true;
	return invite_parse(text, len, call->path.code);
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

static bool read_seat(struct call *call, const char *text, size_t len)
{
	return params_read_number(text, len, TABLE_SEATS_MAX, &call->path.seat);
}

static bool read_word(struct call *call, const char *text, size_t len)
{
	call->path.word = arena_strndup(&call->req->arena, text, len);
	return true;
}

static const struct {
	const char *name;
	read_fn *read;
	enum err fallback;
} params[] = {
#define PARAM(name, read, fallback) { name, read, fallback },
#include "service/params.def"
};

static bool is_called(const char *known, const char *name, size_t len)
{
	return strlen(known) == len && memcmp(known, name, len) == 0;
}

/* A parameter that only the game of the route has. */
static enum err read_of_game(struct call *call, const char *name, size_t len,
                             struct http_slice value)
{
	const struct ruleset *rules = call->route->rules;
	const struct game *game = rules ? rulesets_game(rules) : NULL;

	for (size_t i = 0; game && i < game->params_count; i++) {
		const struct game_param *param = &game->params[i];

		if (is_called(param->name, name, len))
			return param->read(value.text, value.len,
			                   &call->path.of_game[i])
			               ? ERR_OK
			               : param->fallback;
	}
	/* A route names a parameter that no table has. */
	return ERR_INTERNAL;
}

static enum err read_param(struct call *call, const char *name, size_t len,
                           struct http_slice value)
{
	for (size_t i = 0; i < ARRAY_LEN(params); i++) {
		if (is_called(params[i].name, name, len))
			return params[i].read(call, value.text, value.len)
			               ? ERR_OK
			               : params[i].fallback;
	}
	return read_of_game(call, name, len, value);
}

enum err params_read(struct call *call)
{
	const char *at = call->req->route->path;

	for (size_t i = 0; i < HTTP_PARAMS_MAX; i++) {
		at = strchr(at, '{');
		if (!at)
			return ERR_OK;
		size_t len = strcspn(++at, "}");
		enum err err = read_param(call, at, len, call->req->params[i]);
		if (err)
			return err;
	}
	return ERR_OK;
}
