/*
 * The event log of a game as one viewer may see it, as a page or as a stream.
 *
 * The rules of the game say who sees an event (sight) and print its data; this
 * file prints the rest.  Rows come from a database that others can write to, so
 * each event is printed into a buffer of its own: a damaged one ends the answer
 * with an error, and never takes the room of others or shows what a viewer may
 * not see.
 */
#include "service/events.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/log.h"
#include "http/problem.h"
#include "service/answer.h"
#include "service/authorize.h"
#include "service/games.h"
#include "service/handler.h"
#include "service/query_param.h"
#include "service/seating.h"
#include "service/stored_game.h"

/*
 * The longest event has two names and an avatar, all of quotation marks.  The
 * frame is what a stream writes around an event: "id: " and "data: ".
 */
enum { LIMIT_STANDARD = 200, EVENT_JSON_MAX = 2048, EVENT_FRAME_MAX = 64 };

struct event_json {
	char text[EVENT_JSON_MAX];
	size_t len;
};

/*
 * Last-Event-ID, which a returning EventSource sends, overrides "after".  An
 * EventSource that is a script sends it as a parameter; if there are both, the
 * field is newer, because the URL is written once.
 */
static void read_last_id(struct call *call)
{
	const char *text = call->req->last_event_id;

	if (!text || !*text)
		text = http_query(call->req, "lastEventId");
	if (!text || !*text || text[strspn(text, "0123456789")])
		return;
	unsigned long number = strtoul(text, NULL, 10);
	if (number <= INT32_MAX)
		call->wanted.page.after = (uint32_t)number;
}

/* A ticket is for a stream without a token only. */
static enum err read_ticket(struct call *call)
{
	const char *text = http_query(call->req, "ticket");

	if (!text)
		return ERR_OK;
	if (!call->req->wants_stream || call->req->authorization) {
		problem_query_fault(call->req, "ticket", "not_allowed",
		                    "A ticket is for a stream (Accept: "
		                    "text/event-stream) that is asked for "
		                    "without Authorization.");
		return ERR_INVALID;
	}
	call->wanted.ticket =
		arena_zalloc(&call->req->arena, sizeof(*call->wanted.ticket));
	return ticket_parse(text, strlen(text), call->wanted.ticket)
	               ? ERR_OK
	               : authorize_refuse_ticket(call);
}

static void read_views(struct call *call)
{
	static const char *const words[] = { "false", "true" };

	call->wanted.views =
		query_param_choice(call, "views", words, ARRAY_LEN(words)) == 1;
	if (call->wanted.views && !call->req->wants_stream)
		problem_query_fault(call->req, "views", "not_allowed",
		                    "Views come in a stream (Accept: "
		                    "text/event-stream) only.");
}

enum err decode_events(struct call *call)
{
	read_views(call);
	/* A view needs no earlier events, unless the client asks for them. */
	call->wanted.page.after =
		query_param_number(call, "after", 0, INT32_MAX,
	                           call->wanted.views ? INT32_MAX : 0);
	call->wanted.page.limit =
		query_param_number(call, "limit", 1, STORE_PAGE_MAX,
	                           LIMIT_STANDARD);
	if (call->req->wants_stream) {
		/* The browser repeats the stream's first URL. */
		read_last_id(call);
		call->wanted.page.limit = LIMIT_STANDARD;
	}
	return read_ticket(call);
}

/* Make the row an event of the rules; false if it is too long for one. */
static bool unpack(const struct store_event *from, struct event *event)
{
	if (from->public_len > EVENT_PUBLIC_MAX ||
	    from->private_len > EVENT_PRIVATE_MAX)
		return false;
	*event = (struct event){
		.type = from->type,
		.seat = from->seat,
		.part = from->part,
		.subpart = from->subpart,
		.public_len = (uint8_t)from->public_len,
		.private_len = (uint8_t)from->private_len,
	};
	if (from->public_len)
		memcpy(event->public_data, from->public_data, from->public_len);
	if (from->private_len)
		memcpy(event->private_data, from->private_data,
		       from->private_len);
	return true;
}

/* A hidden event shows its version alone, which all viewers count. */
static void print_hidden(uint32_t version, struct json_out *out)
{
	json_object(out);
	json_key_int(out, "version", version);
	json_key_null(out, "at");
	json_key_string(out, "type", "hidden");
	json_key_null(out, "seat");
	json_key_object(out, "data");
	json_object_end(out);
	json_object_end(out);
}

static void print_rematch(const struct event *event, struct json_out *out)
{
	char text[UUID_TEXT_LEN + 1];
	struct uuid id;

	_Static_assert(sizeof(id.bytes) == REMATCH_ID_SIZE, "it is an id");
	memcpy(id.bytes, event->public_data, sizeof(id.bytes));
	uuid_print(id, text);
	json_key_string(out, "id", text);
}

static bool print_event(struct call *call, const void *view,
                        const struct store_event *from, struct json_out *out)
{
	const struct ruleset *rules = call->game.table.rules;
	const struct event_row *row = ruleset_event(rules, from->type);
	const char *type = row ? row->code : event_code(from->type);
	struct event event;

	bool has_names = event_has_names(from->type);

	if (!type || (!has_names && !unpack(from, &event)))
		return false;
	if (has_names)
		event = (struct event){ .type = from->type,
			                .seat = from->seat };
	enum sight sight =
		row && row->sight ? row->sight(view, &event) : SIGHT_SEAT;
	if (sight == SIGHT_NONE) {
		print_hidden(from->version, out);
		return true;
	}
	json_object(out);
	json_key_int(out, "version", from->version);
	answer_time(out, "at", from->at_us);
	json_key_string(out, "type", type);
	json_key_int_or_null(out, "seat", event.seat);
	json_key_object(out, "data");
	bool is_whole = true;
	if (has_names)
		is_whole = seating_print_event(from, &call->req->arena, out);
	else if (event.type == EVENT_REMATCH_CREATED)
		print_rematch(&event, out);
	else if (row)
		ruleset_print_event(rules, &event,
		                    sight == SIGHT_SEAT ? call->caller.seat : 0,
		                    out);
	json_object_end(out);
	json_object_end(out);
	return is_whole;
}

static bool encode_event(struct call *call, const void *view,
                         const struct store_event *from,
                         struct event_json *event)
{
	struct json_out out;

	json_out_init(&out, event->text, sizeof(event->text));
	if (!print_event(call, view, from, &out) || !json_out_fits(&out)) {
		LOG(LOG_ERROR, "event_damaged", LOG_TEXT("id", call->req->id),
		    LOG_TEXT("game", call->game.text),
		    LOG_INT("version", from->version));
		return false;
	}
	event->len = json_out_len(&out);
	return true;
}

enum err encode_events(struct call *call)
{
	const void *view = stored_game_view(call);
	struct event_json event;
	struct json_out out;

	answer_begin(call, &out, (call->page.count + 1) * EVENT_JSON_MAX);
	json_object(&out);
	json_key_array(&out, "events");
	for (size_t i = 0; i < call->page.count; i++) {
		if (!encode_event(call, view, &call->page.events[i], &event))
			return ERR_INTERNAL;
		json_raw(&out, event.text, event.len);
	}
	json_array_end(&out);
	json_object_end(&out);
	if (call->page.more) {
		unsigned last = call->page.events[call->page.count - 1].version;
		http_header(call->req, "Link",
		            arena_printf(&call->req->arena,
		                         "<%s/events?after=%u&limit=%u>; "
		                         "rel=\"next\"",
		                         games_path(call), last,
		                         call->wanted.page.limit));
	}
	return answer_end(call, &out, 200);
}

/* --- streams ------------------------------------------------------------- */

void events_begin_stream(struct call *call)
{
	/* If-Match applies to the start of the stream only. */
	call->req->if_match = NULL;
	call->req->reply = (struct http_reply){
		.status = 200,
		.type = "text/event-stream",
	};
	http_header(call->req, "Cache-Control", "no-store");
	http_header(call->req, "Vary", "Accept, Authorization");
	/* Without this, nginx and similar proxies would buffer the events. */
	http_header(call->req, "X-Accel-Buffering", "no");
}

/* The view, once the client has the events up to it; false for a failure. */
static bool encode_due_view(struct call *call, struct http_reply *view)
{
	struct http_reply reply = call->req->reply;

	*view = (struct http_reply){ 0 };
	if (!call->wanted.views || call->page.more ||
	    call->stream.viewed == call->game.table.version)
		return true;
	if (encode_view(call))
		return false;
	*view = call->req->reply;
	call->req->reply = reply;
	call->stream.viewed = call->game.table.version;
	call->wanted.page.after = call->stream.viewed;
	return true;
}

/* Write a block of the stream; name is the line of its type, "" for an event.
 */
static void put_block(struct bytes_out *out, const char *name, uint32_t version,
                      const char *text, size_t len)
{
	char head[EVENT_FRAME_MAX];

	(void)snprintf(head, sizeof(head), "%sid: %u\ndata: ", name,
	               (unsigned)version);
	put_bytes(out, (const uint8_t *)head, strlen(head));
	put_bytes(out, (const uint8_t *)text, len);
	put_bytes(out, (const uint8_t *)"\n\n", 2);
}

const char *events_encode_stream(struct call *call, size_t *len)
{
	const void *decoded = stored_game_view(call);
	struct http_reply view;
	struct event_json event;

	if (!encode_due_view(call, &view))
		return NULL;
	size_t size = call->page.count * (EVENT_JSON_MAX + EVENT_FRAME_MAX) +
	              view.body_len + EVENT_FRAME_MAX;
	struct bytes_out out = { .start = arena_alloc(&call->req->arena, size),
		                 .size = size };
	for (size_t i = 0; i < call->page.count; i++) {
		const struct store_event *from = &call->page.events[i];

		if (!encode_event(call, decoded, from, &event))
			return NULL;
		put_block(&out, "", from->version, event.text, event.len);
		call->wanted.page.after = from->version;
	}
	if (view.body_len)
		put_block(&out, "event: view\n", call->stream.viewed, view.body,
		          view.body_len);
	*len = out.len;
	return out.full ? NULL : (const char *)out.start;
}
