#include "loop/watch.h"

#include "base/arena.h"
#include "base/clock.h"
#include "live/subscriptions.h"
#include "loop/load.h"
#include "loop/stage.h"
#include "service/events.h"

/* How often a stream says something when nothing happens. */
static const uint64_t STREAM_SIGN_NS = 15 * CLOCK_NS_PER_S;

/* Who has so much to read is given more of the log later. */
enum { STREAM_FULL = 64 * 1024 };
static const uint64_t STREAM_PAUSE_NS = 50 * CLOCK_NS_PER_MS;

static uint64_t waits_until_ns(const struct call *call)
{
	return call->req->received_ns + call->req->wait_s * CLOCK_NS_PER_S;
}

/* --- streams -------------------------------------------------------------- */

static void write_stream(struct call *call, const char *text, size_t len)
{
	if (!http_stream_write(call->req, text, len))
		call->run.is_behind = true;
}

#define WRITE_STREAM(call, text) write_stream(call, text, sizeof(text) - 1)

/* Until something happens, or a sign of life is due. */
static void sleep_in_stream(struct call *call)
{
	arena_rewind(&call->req->arena, call->run.begun);
	/* What the client claims to have seen is nothing to tell others. */
	subscriptions_sleep(stage_driver(call)->live, call->run.waiter,
	                    call->game.table.version,
	                    clock_monotonic_ns() + STREAM_SIGN_NS);
}

/* The next page of the log; but not until there is room for it. */
static void go_on_in_stream(struct call *call)
{
	/* What wakes who has paused, but time, is that the game is gone. */
	bool is_gone =
		call->run.is_paused && waiter_has_moved(call->run.waiter);

	arena_rewind(&call->req->arena, call->run.begun);
	call->run.is_paused =
		!is_gone && http_stream_unread(call->req) > STREAM_FULL;
	if (call->run.is_paused)
		subscriptions_pause(stage_driver(call)->live, call->run.waiter,
		                    clock_monotonic_ns() + STREAM_PAUSE_NS);
	else
		load_game(call);
}

void watch_streamed(struct call *call)
{
	size_t len;
	const char *text = events_encode_stream(call, &len);

	if (!text) {
		stage_refuse(call, ERR_INTERNAL);
		return;
	}
	if (!call->run.is_streaming) {
		events_begin_stream(call);
		http_stream_begin(call->req);
		call->run.is_streaming = true;
		WRITE_STREAM(call, "retry: 2000\n\n");
	}
	write_stream(call, text, len);
	if (call->page.count)
		call->wanted.page.after =
			call->page.events[call->page.count - 1].version;
	/* Who does not read comes back later, with what it has read last. */
	if (call->run.is_behind || stage_driver(call)->ending) {
		stage_finish(call);
	} else if (call->page.more) {
		go_on_in_stream(call);
	} else {
		sleep_in_stream(call);
	}
}

static void on_woken_in_stream(struct call *call, bool has_moved)
{
	if (stage_driver(call)->ending) {
		stage_finish(call);
	} else if (has_moved || call->run.is_paused) {
		go_on_in_stream(call);
	} else {
		stage_note_last_seen(call);
		WRITE_STREAM(call, ": still here\n\n");
		if (call->run.is_behind)
			stage_finish(call);
		else
			sleep_in_stream(call);
	}
}

/* The game has moved on, or the time is up. */
static void on_woken(void *arg)
{
	struct call *call = arg;

	if (call->route->shape == SHAPE_EVENTS) {
		on_woken_in_stream(call, waiter_has_moved(call->run.waiter));
		return;
	}
	if (stage_driver(call)->ending ||
	    clock_monotonic_ns() >= waits_until_ns(call)) {
		stage_note_last_seen(call);
		call_encode_waited(call);
		stage_finish(call);
		return;
	}
	load_game(call);
}

enum err watch_begin(struct call *call)
{
	struct waiter *waiter;
	bool waits = call->route->shape == SHAPE_WATCH && call->req->wait_s &&
	             call->req->if_none_match;

	if (!waits && !call->req->wants_stream)
		return ERR_OK;
	enum err err = quotas_enter_wait(stage_driver(call)->limited, call);
	if (err)
		return err;
	waiter = arena_zalloc(&call->req->arena, sizeof(*waiter));
	waiter->wake = on_woken;
	waiter->arg = call;
	call->run.waiter = waiter;
	subscriptions_join(stage_driver(call)->live, waiter, call->game.id);
	call->run.begun = arena_mark(&call->req->arena);
	return ERR_OK;
}

bool watch_sleeps(struct call *call)
{
	if (!call->run.waiter || !call_is_known(call) ||
	    stage_driver(call)->ending)
		return false;
	/* What was loaded is not needed while nothing happens. */
	arena_rewind(&call->req->arena, call->run.begun);
	http_watch(call->req);
	subscriptions_sleep(stage_driver(call)->live, call->run.waiter,
	                    call->game.table.version, waits_until_ns(call));
	return true;
}

void watch_gone(struct call *call)
{
	/* What is on its way to it already is answered soon, and ends it. */
	if (!waiter_is_asleep(call->run.waiter)) {
		call->run.is_behind = true;
		return;
	}
	if (!call->run.is_streaming)
		call_encode_waited(call);
	stage_finish(call);
}
