/*
 * params.c - one function reads each kind of parameter.  A parameter is as it
 * was sent: a "%" in it matches nothing, so nothing is decoded.
 */
#include "service/params.h"

#include <stdlib.h>
#include <string.h>

#include "games/gang/rules/color.h"

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

/* A number from 1 to most, without a leading zero. */
static bool read_small(const char *text, size_t len, unsigned most,
                       unsigned *into)
{
	if (len > 3 || text[0] == '0' || strspn(text, "0123456789") != len)
		return false;
	*into = (unsigned)strtoul(text, NULL, 10);
	return *into <= most;
}

static bool read_seat(struct call *call, const char *text, size_t len)
{
	return read_small(text, len, TABLE_SEATS_MAX, &call->path.seat);
}

static bool read_stars(struct call *call, const char *text, size_t len)
{
	return read_small(text, len, TABLE_SEATS_MAX, &call->path.stars);
}

static bool read_number(struct call *call, const char *text, size_t len)
{
	return read_small(text, len, 99, &call->path.number);
}

static bool read_color(struct call *call, const char *text, size_t len)
{
	enum color color;

	if (!gang_color_parse(text, len, &color))
		return false;
	call->path.color = color;
	return true;
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

static enum err read_param(struct call *call, const char *name, size_t len,
                           struct http_slice value)
{
	for (size_t i = 0; i < ARRAY_LEN(params); i++) {
		if (strlen(params[i].name) != len ||
		    memcmp(params[i].name, name, len) != 0)
			continue;
		return params[i].read(call, value.text, value.len)
		               ? ERR_OK
		               : params[i].fallback;
	}
	/* A route names a parameter that params.def does not know. */
	return ERR_INTERNAL;
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
