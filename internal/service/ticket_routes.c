/*
 * POST …/stream_tickets: a ticket that opens one event stream from a browser.
 */
#include "base/clock.h"
#include "service/answer.h"
#include "service/handler.h"

enum err decode_ticket(struct call *call)
{
	call->wanted.ticket =
		arena_zalloc(&call->req->arena, sizeof(*call->wanted.ticket));
	return ticket_draw(call->wanted.ticket) ? ERR_OK : ERR_INTERNAL;
}

enum err encode_ticket(struct call *call)
{
	int64_t lasts_us = STORE_TICKET_S * CLOCK_US_PER_S;
	struct json_out out;

	answer_begin(call, &out, 256);
	json_object(&out);
	json_key_string(&out, "ticket", call->wanted.ticket->text);
	answer_time(&out, "expires_at", call->decided.given_us + lasts_us);
	json_object_end(&out);
	return answer_end(call, &out, 201);
}
