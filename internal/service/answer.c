/*
 * Replies are built in a buffer of the thread first, since only the writer's
 * end shows how long they are, and then copied into the request's arena: a
 * client that reads slowly holds its reply's length and not the maximum.  A
 * longer reply (a page of events or of the lobby) is written into the arena at
 * once.
 */
#include "service/answer.h"

#include <string.h>

#include "base/clock.h"

enum { OFFER_MAX = 2048 };

void answer_begin(struct call *call, struct json_out *out, size_t max)
{
	static _Thread_local char aside[ANSWER_VIEW_MAX];
	char *start = max <= sizeof(aside)
	                      ? aside
	                      : arena_alloc(&call->req->arena, max);

	json_out_init(out, start, max);
}

void answer_begin_offer(struct call *call, struct json_out *out)
{
	const struct table *table = &call->game.table;

	answer_begin(call, out, OFFER_MAX);
	json_object(out);
	json_key_string(out, "game_id", call->game.text);
	json_key_string(out, "ruleset", table->rules->code);
	json_key_string_or_null(out, "mode", table->mode);
}

enum err answer_end(struct call *call, struct json_out *out, unsigned status)
{
	size_t len = json_out_len(out);

	if (!json_out_fits(out))
		return ERR_INTERNAL;
	char *text = arena_alloc(&call->req->arena, len);
	memcpy(text, out->start, len);
	answer_text(call, MEDIA_JSON, text, len);
	call->req->reply.status = status;
	return ERR_OK;
}

void answer_text(struct call *call, const char *media, const char *text,
                 size_t len)
{
	struct http_reply *reply = &call->req->reply;

	reply->status = 200;
	reply->type = media;
	reply->body = text;
	reply->body_len = len;
}

void answer_time(struct json_out *out, const char *name, int64_t at_us)
{
	char text[CLOCK_TEXT_LEN + 1];

	clock_print(at_us, text);
	json_key_string(out, name, text);
}
