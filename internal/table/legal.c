/*
 * The members that every legal action begins with.
 */
#include <assert.h>
#include <string.h>

#include "table/ruleset.h"

/* Longer than any path of a game, and any below it. */
enum { HREF_MAX = 160 };

void legal_begin(struct json_out *out, const char *name, const char *game_path,
                 const char *tail)
{
	char href[HREF_MAX];
	size_t len = strlen(game_path);
	size_t tail_len = strlen(tail);

	assert(len + tail_len < sizeof(href));
	memcpy(href, game_path, len);
	memcpy(href + len, tail, tail_len + 1);
	json_object(out);
	json_key_string(out, "action", name);
	json_key_string(out, "method", "POST");
	json_key_string(out, "href", href);
}

void legal_print(struct json_out *out, const char *name, const char *game_path,
                 const char *tail)
{
	legal_begin(out, name, game_path, tail);
	json_key_null(out, "body");
	json_key_null(out, "choose");
	json_object_end(out);
}
