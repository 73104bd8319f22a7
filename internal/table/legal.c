/*
 * The parts of an element follow each other as enum legal_part lists them; each
 * is ended when the next one begins.  "body" is in the writer's buffer when
 * "command" begins, so its members are copied from there.
 */
#include "table/legal.h"

#include <assert.h>
#include <string.h>

/* Longer than every path of an action. */
enum { HREF_MAX = 224 };

struct legal legal_begin(struct json_out *out, const char *action,
                         const char *game_path, const char *tail)
{
	char href[HREF_MAX];
	size_t len = strlen(game_path);
	size_t tail_len = strlen(tail);

	assert(len + tail_len < sizeof(href));
	memcpy(href, game_path, len);
	memcpy(href + len, tail, tail_len + 1);
	json_object(out);
	json_key_string(out, "action", action);
	json_key_string(out, "method", "POST");
	json_key_string(out, "href", href);
	json_key_object(out, "body");
	return (struct legal){
		.out = out,
		.action = action,
		.body = json_out_len(out),
	};
}

static void begin_command(const struct legal *legal)
{
	struct json_out *out = legal->out;
	size_t len = json_out_len(out) - legal->body;

	json_object_end(out);
	json_key_object(out, "command");
	json_key_string(out, "action", legal->action);
	if (len)
		json_raw(out, out->start + legal->body, len);
}

void legal_go_on(struct legal *legal, enum legal_part part)
{
	while (legal->part < part) {
		switch (++legal->part) {
		case LEGAL_BODY:
			break;
		case LEGAL_COMMAND:
			begin_command(legal);
			break;
		case LEGAL_OTHERS:
			json_object_end(legal->out);
			break;
		case LEGAL_CHOOSE:
			json_key_object(legal->out, "choose");
			break;
		}
	}
}

static void begin_form(struct legal *legal, const char *name, const char *form)
{
	legal_go_on(legal, LEGAL_CHOOSE);
	json_key_object(legal->out, name);
	json_key_string(legal->out, "form", form);
}

void legal_one_of(struct legal *legal, const char *name)
{
	begin_form(legal, name, "one_of");
}

void legal_some_of(struct legal *legal, const char *name, unsigned count)
{
	begin_form(legal, name, "some_of");
	json_key_int(legal->out, "least", count);
	json_key_int(legal->out, "most", count);
	json_key_bool(legal->out, "distinct", true);
}

void legal_range(struct legal *legal, const char *name, unsigned least,
                 unsigned most)
{
	begin_form(legal, name, "range");
	json_key_int(legal->out, "least", least);
	json_key_int(legal->out, "most", most);
	json_object_end(legal->out);
}

void legal_end(struct legal *legal)
{
	legal_go_on(legal, LEGAL_OTHERS);
	if (legal->part == LEGAL_CHOOSE)
		json_object_end(legal->out);
	else
		json_key_null(legal->out, "choose");
	json_object_end(legal->out);
}

void legal_print(struct json_out *out, const char *action,
                 const char *game_path, const char *tail)
{
	struct legal legal = legal_begin(out, action, game_path, tail);

	legal_end(&legal);
}
