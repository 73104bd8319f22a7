/*
 * POST …/stream_tickets: what a browser opens a stream with.
 */
#include "base/clock.h"
#include "service/handler.h"

enum err decode_ticket(struct call *call)
{
	call->ticket = arena_take(&call->req->arena, sizeof(*call->ticket));
	if (!ticket_draw(call->ticket))
		return ERR_INTERNAL;
	return decode_empty(call);
}

enum err call_refuse_ticket(struct call *call)
{
	call->req->detail = "The ticket was used already, is too old, or is "
			    "none of this game; ask for another one.";
	return ERR_INVALID_TOKEN;
}

enum err encode_ticket(struct call *call)
{
	int64_t lasts_us = (int64_t)STORE_TICKET_S * 1000000;
	char at[CLOCK_TEXT_LEN + 1];
	struct json_out out;

	clock_print(call->ticket_us + lasts_us, at);
	reply_begin(call, &out, 256);
	json_object(&out);
	json_key_string(&out, "ticket", call->ticket->text);
	json_key_string(&out, "expires_at", at);
	json_object_end(&out);
	return reply_end(call, &out, 201);
}
