/*
 * response.c - the reply and its header fields.  An ETag names a view: its
 * game, version and seat; the time of its last change, since gangctl erase
 * removes names from the log of a version; and the version of this program,
 * since another program may print the same state in another way.
 */
#include "service/response.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/setting.h"
#include "service/conditions.h"
#include "service/games.h"
#include "service/handler.h"

void response_set_etag(struct call *call)
{
	(void)snprintf(call->game.etag, sizeof(call->game.etag),
	               "\"%s.%u.%u.%" PRIx64 ".%s\"", call->game.text,
	               (unsigned)call->game.table.version, call->caller.seat,
	               (uint64_t)call->game.updated_us, setting_version());
}

void response_committed(struct call *call, int64_t at_us)
{
	call->game.updated_us = at_us;
	if (!call->game.loaded)
		call->decided.next->created_us = at_us;
	call->game.loaded = call->decided.next;
	response_set_etag(call);
}

/*
 * A view depends on the caller, and may be stored if it is validated each time.
 * Open routes depend on the language only.
 */
static void add_cache_headers(struct call *call)
{
	bool is_open = call->route->guard <= GUARD_ANYONE;
	const char *views = call->req->route->streams ? "Accept, Authorization"
	                                              : "Authorization";

	http_header(call->req, "ETag", call->game.etag);
	http_header(call->req, "Cache-Control",
	            call->reply.cache ? call->reply.cache
	            : is_open         ? "public, max-age=3600"
	                              : "private, no-cache");
	http_header(call->req, "Vary",
	            call->reply.vary ? call->reply.vary
	            : is_open        ? "Accept-Language"
	                             : views);
}

static void add_waited(struct call *call)
{
	if (call->reply.has_waited)
		http_header(call->req, "Preference-Applied",
		            arena_printf(&call->req->arena, "wait=%u",
		                         call->req->wait_s));
}

void response_not_modified(struct call *call)
{
	call->req->reply = (struct http_reply){ .status = 304 };
	add_cache_headers(call);
	add_waited(call);
}

/*
 * A player who gave the seat up may repeat that request, but has no right to
 * today's view, unless everybody has.
 */
static bool is_for_outsider(const struct call *call)
{
	return call->idempotency.is_replay && !call->caller.seat &&
	       !call->game.table.spectators;
}

enum err response_encode(struct call *call)
{
	enum shape shape = call->route->shape;
	bool is_move = shape == SHAPE_MOVE || shape == SHAPE_REMATCH;
	bool is_view = is_move || shape == SHAPE_READ || shape == SHAPE_WAIT ||
	               shape == SHAPE_EVENTS;

	if (is_for_outsider(call))
		return encode_no_content(call);
	enum err err = call->route->encode(call);

	/* An answer that holds a token is never cached. */
	if (err || (is_view && (call->route->guard == GUARD_INVITED ||
	                        call->route->verb == VERB_RENEW_TOKEN)))
		return err;
	/* The answer to seating a bot by its own route is more than the game.
	 */
	if (is_move &&
	    (call->route->verb != VERB_SEAT_BOT || call->wanted.is_command))
		http_header(call->req, "Content-Location", games_path(call));
	/* Only now: a refusal comes first, and a list has its ETag by now. */
	if (conditions_are_unchanged(call)) {
		response_not_modified(call);
		return ERR_OK;
	}
	add_waited(call);
	if (is_view || (shape == SHAPE_ANSWER && call->game.etag[0]))
		add_cache_headers(call);
	return ERR_OK;
}
