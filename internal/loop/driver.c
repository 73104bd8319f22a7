#include "loop/driver.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/seed.h"
#include "http/problem.h"
#include "service/call.h"
#include "service/decide.h"
#include "service/keyed.h"
#include "service/players.h"

/*
 * How often a move is decided anew because another came first.  Time ends it
 * sooner, see too_late().
 */
enum { TRIES_MAX = 1000 };

/* How often a stream says something when nothing happens. */
static const uint64_t STREAM_SIGN_NS = 15000000000ULL;

static struct driver *driver_of(struct call *call)
{
	return call->driver;
}

/* Whoever asks is there, also if they may not. */
static void hear(struct call *call)
{
	if (call->seat)
		presence_hear(driver_of(call)->presence, call->game_id,
		              call->token_hash);
}

static void finish(struct call *call)
{
	if (call->waiting)
		live_leave(driver_of(call)->live, call->waiting);
	http_finish(call->req);
}

static void on_streamed(struct call *call);
static void end_stream(struct call *call, enum err err);

static void refuse(struct call *call, enum err err)
{
	if (call->is_streaming) {
		end_stream(call, err);
		return;
	}
	if (err == ERR_INTERNAL)
		LOG(LOG_ERROR, "internal", LOG_TEXT("id", call->req->id));
	problem_reply(call->req, err);
	finish(call);
}

/* Those who wait for the game hear of it. */
static void tell_moved(struct call *call, struct uuid game, uint32_t version)
{
	struct driver *driver = driver_of(call);

	live_moved(driver->live, game, version);
	driver->moved(driver->arg, game, version);
}

/*
 * A stage is not begun when the request has taken a whole deadline already:
 * with the one that the stage itself may take, a client hears within two.
 */
static bool too_late(struct call *call)
{
	uint64_t taken_ns = clock_monotonic_ns() - call->req->received_ns;

	if (taken_ns < driver_of(call)->deadline_ns)
		return false;
	refuse(call, ERR_STORE_UNAVAILABLE);
	return true;
}

/*
 * The last stage.  Whether the client knows the answer already is asked when
 * there is one: a refusal is told to everybody.
 */
static void answer(struct call *call)
{
	enum err err = call_encode(call);

	if (err) {
		refuse(call, err);
		return;
	}
	if (call_is_known(call))
		call_encode_known(call);
	finish(call);
}

static void fail(struct call *call, enum store_result result)
{
	if (result == STORE_UNAVAILABLE) {
		refuse(call, ERR_STORE_UNAVAILABLE);
		return;
	}
	refuse(call, ERR_INTERNAL);
}

/* A write whose answer was lost may have been carried out all the same. */
static void fail_write(struct call *call, enum store_result result)
{
	if (result == STORE_UNAVAILABLE)
		call->req->detail = "The database did not answer in time. The "
				    "change may or may not have been made.";
	fail(call, result);
}

static void load(struct call *call);

/* --- deciding and keeping ------------------------------------------------ */

/* With a fresh seed; false if it was refused, which has been answered. */
static bool is_decided(struct call *call,
                       enum err (*decide)(struct call *, const uint8_t *seed))
{
	uint8_t seed[CHANCE_SEED_SIZE];
	enum err err = ERR_INTERNAL;

	/* Without a seed nothing is dealt. */
	if (seed_draw(seed, sizeof(seed)))
		err = decide(call, seed);
	if (err)
		refuse(call, err);
	return !err;
}

static void create(struct call *call);
static void find_creation(struct call *call);

/* The code is in use; or the key by now, and then somebody else has done it. */
static void create_again(struct call *call)
{
	if (keyed_hash(call))
		find_creation(call);
	else
		create(call);
}

static void on_created(void *arg, enum store_result result, int64_t at_us)
{
	struct call *call = arg;

	if (result == STORE_TAKEN && call->tries++ < TRIES_MAX) {
		arena_rewind(&call->req->arena, call->begun);
		create_again(call);
		return;
	}
	if (result != STORE_OK) {
		fail_write(call, result);
		return;
	}
	call_kept(call, at_us);
	answer(call);
}

static void create(struct call *call)
{
	if (is_decided(call, decide_creation))
		store_create(driver_of(call)->store, &call->move, on_created,
		             call);
}

static void on_waiting(void *arg, enum store_result result, uint32_t count)
{
	struct call *call = arg;

	if (result != STORE_OK) {
		fail(call, result);
		return;
	}
	enum err err =
		limited_judge_lobby(driver_of(call)->limited, call, count);
	if (err)
		refuse(call, err);
	else
		create(call);
}

/* What nobody has created before under the key, if there is one. */
static void create_first(struct call *call)
{
	struct driver *driver = driver_of(call);

	if (limited_asks_lobby(driver->limited, call))
		store_count_waiting(driver->store, call->req->address,
		                    on_waiting, call);
	else
		create(call);
}

/* What was created under the key before is answered again. */
static void on_creation(void *arg, enum store_result result, struct uuid id,
                        const struct store_key *key)
{
	struct call *call = arg;

	if (result == STORE_NONE) {
		create_first(call);
		return;
	}
	if (result != STORE_OK) {
		fail(call, result);
		return;
	}
	enum err err = keyed_recall(call, key);
	if (err) {
		refuse(call, err);
		return;
	}
	call->game_id = id;
	load(call);
}

static void find_creation(struct call *call)
{
	if (!too_late(call))
		store_find_creation(driver_of(call)->store, keyed_hash(call),
		                    &call->req->arena, on_creation, call);
}

/* Another change came first: what was loaded and decided is worth nothing. */
static void load_again(struct call *call)
{
	if (call->tries++ < TRIES_MAX) {
		decide_forget(call);
		arena_rewind(&call->req->arena, call->begun);
		load(call);
		return;
	}
	call->req->detail = "Too many others were faster; nothing was changed. "
			    "Try again.";
	refuse(call, ERR_STORE_UNAVAILABLE);
}

static void on_kept(void *arg, enum store_result result, int64_t at_us)
{
	struct call *call = arg;

	if (result == STORE_MOVED_ON) {
		load_again(call);
		return;
	}
	if (result != STORE_OK) {
		fail_write(call, result);
		return;
	}
	call_kept(call, at_us);
	tell_moved(call, call->game_id, call->table.version);
	if (call->ended)
		tell_moved(call, call->ended->loaded->id,
		           call->ended->next.version);
	answer(call);
}

static void decide(struct call *call)
{
	if (is_decided(call, decide_move))
		store_keep(driver_of(call)->store, &call->move, on_kept, call);
}

static void on_deleted(void *arg, enum store_result result, int64_t at_us)
{
	struct call *call = arg;

	(void)at_us;
	if (result == STORE_MOVED_ON) {
		load_again(call);
	} else if (result != STORE_OK) {
		fail_write(call, result);
	} else {
		tell_moved(call, call->game_id, LIVE_GONE);
		answer(call);
	}
}

static void drop(struct call *call)
{
	store_delete(driver_of(call)->store, call->game_id, call->table.version,
	             on_deleted, call);
}

static void on_presence(void *arg, enum store_result result,
                        const struct store_presence *players, size_t count);

static void ask_presence(struct call *call)
{
	store_presence(driver_of(call)->store, call->game_id, &call->req->arena,
	               on_presence, call);
}

static void leave(struct call *call)
{
	if (players_ask_absence(call)) {
		ask_presence(call);
		return;
	}
	decide_follow(call);
	if (decide_is_last(call))
		drop(call);
	else if (is_decided(call, decide_move))
		store_leave(driver_of(call)->store, &call->move, on_kept, call);
}

static void on_presence(void *arg, enum store_result result,
                        const struct store_presence *players, size_t count)
{
	struct call *call = arg;

	if (result != STORE_OK) {
		fail(call, result);
		return;
	}
	call->presence = players;
	call->presence_count = count;
	if (call->route->shape == SHAPE_LEAVE)
		leave(call);
	else
		answer(call);
}

static void on_ticket_given(void *arg, enum store_result result, int64_t at_us)
{
	struct call *call = arg;

	if (result == STORE_NONE) {
		/* The game was deleted since it was loaded. */
		enum err err = call_admit(call, NULL);
		refuse(call, err);
		return;
	}
	if (result != STORE_OK) {
		fail(call, result);
		return;
	}
	call->ticket_us = at_us;
	answer(call);
}

static void rematch(struct call *call)
{
	if (is_decided(call, decide_rematch))
		store_rematch(driver_of(call)->store, &call->ended->move,
		              &call->move, on_kept, call);
}

/* --- loading ------------------------------------------------------------- */

static void on_events(void *arg, enum store_result result,
                      const struct store_event *events, size_t count, bool more)
{
	struct call *call = arg;

	if (result != STORE_OK) {
		fail(call, result);
		return;
	}
	if (count == 0 && call->page.after < call->table.version) {
		/* The game was deleted since it was loaded. */
		enum err err = call_admit(call, NULL);
		refuse(call, err);
		return;
	}
	call->page_events = events;
	call->page_count = count;
	call->page_more = more;
	if (call->req->wants_stream)
		on_streamed(call);
	else
		answer(call);
}

static void on_lobby(void *arg, enum store_result result,
                     const struct store_listed *games, size_t count, bool more)
{
	struct call *call = arg;

	if (result != STORE_OK) {
		fail(call, result);
		return;
	}
	call->listed = games;
	call->page_count = count;
	call->page_more = more;
	answer(call);
}

static void page(struct call *call)
{
	call->page.up_to = call->table.version;
	store_events(driver_of(call)->store, call->game_id, call->page,
	             &call->req->arena, on_events, call);
}

/* --- waiting -------------------------------------------------------------
 */

static uint64_t waits_until_ns(const struct call *call)
{
	return call->req->received_ns +
	       (uint64_t)call->req->wait_s * 1000000000U;
}

/* --- streams -------------------------------------------------------------
 */

static void write_stream(struct call *call, const char *text, size_t len)
{
	if (!http_stream_write(call->req, text, len))
		call->is_behind = true;
}

#define WRITE_STREAM(call, text) write_stream(call, text, sizeof(text) - 1)

/* The status was sent long ago; of the reasons only one is the game's. */
static void end_stream(struct call *call, enum err err)
{
	if (err == ERR_INVALID_TOKEN || err == ERR_UNAUTHENTICATED)
		WRITE_STREAM(call, "event: closed\ndata: {}\n\n");
	finish(call);
}

/* Until something happens, or a sign of life is due. */
static void sleep_in_stream(struct call *call)
{
	arena_rewind(&call->req->arena, call->begun);
	live_sleep(driver_of(call)->live, call->waiting, call->page.after,
	           clock_monotonic_ns() + STREAM_SIGN_NS);
}

static void page(struct call *call);

static void on_streamed(struct call *call)
{
	size_t len;
	const char *text = call_encode_stream(call, &len);

	if (!text) {
		finish(call);
		return;
	}
	if (!call->is_streaming) {
		call_begin_stream(call);
		http_stream_begin(call->req);
		call->is_streaming = true;
		WRITE_STREAM(call, "retry: 2000\n\n");
	}
	write_stream(call, text, len);
	if (call->page_count)
		call->page.after =
			call->page_events[call->page_count - 1].version;
	/* Who does not read comes back later, with what it has read last. */
	if (call->is_behind || driver_of(call)->draining)
		finish(call);
	else if (call->page_more)
		page(call);
	else
		sleep_in_stream(call);
}

static void on_woken_in_stream(struct call *call, bool has_moved)
{
	if (driver_of(call)->draining) {
		finish(call);
	} else if (has_moved) {
		load(call);
	} else {
		hear(call);
		WRITE_STREAM(call, ": still here\n\n");
		if (call->is_behind)
			finish(call);
		else
			sleep_in_stream(call);
	}
}

/* The game has moved on, or the time is up. */
static void on_woken(void *arg)
{
	struct call *call = arg;

	if (call->route->shape == SHAPE_EVENTS) {
		on_woken_in_stream(call, live_has_moved(call->waiting));
		return;
	}
	if (driver_of(call)->draining ||
	    clock_monotonic_ns() >= waits_until_ns(call)) {
		hear(call);
		call_encode_waited(call);
		finish(call);
		return;
	}
	load(call);
}

/* Before the game is read, so that nothing is missed. */
static void prepare_to_wait(struct call *call)
{
	struct waiter *waiter;

	bool waits = call->route->shape == SHAPE_WATCH && call->req->wait_s &&
	             call->req->if_none_match;

	if (!waits && !call->req->wants_stream)
		return;
	waiter = arena_take(&call->req->arena, sizeof(*waiter));
	waiter->wake = on_woken;
	waiter->arg = call;
	call->waiting = waiter;
	live_join(driver_of(call)->live, waiter, call->game_id);
	call->begun = arena_mark(&call->req->arena);
}

/* What was loaded is known: its memory is not needed while nothing happens. */
static void sleep_on(struct call *call)
{
	arena_rewind(&call->req->arena, call->begun);
	http_watch(call->req);
	live_sleep(driver_of(call)->live, call->waiting, call->table.version,
	           waits_until_ns(call));
}

static bool may_wait(struct call *call)
{
	return call->waiting && call_is_known(call) &&
	       !driver_of(call)->draining;
}

void driver_on_gone(struct http_request *req, void *arg)
{
	struct call *call = req->user;

	(void)arg;
	/* What is on its way to it already is answered soon. */
	if (!live_is_asleep(call->waiting))
		return;
	if (!call->is_streaming)
		call_encode_waited(call);
	finish(call);
}

static void go_on(struct call *call)
{
	bool reads = call->route->shape == SHAPE_READ ||
	             call->route->shape == SHAPE_WATCH;

	if (!reads && !call->waiting && too_late(call))
		return;
	switch (call->route->shape) {
	case SHAPE_WATCH:
		if (may_wait(call))
			sleep_on(call);
		else
			answer(call);
		return;
	case SHAPE_READ:
		answer(call);
		return;
	case SHAPE_EVENTS:
		page(call);
		return;
	case SHAPE_MOVE:
		decide(call);
		return;
	case SHAPE_REMATCH:
		rematch(call);
		return;
	case SHAPE_LEAVE:
		leave(call);
		return;
	case SHAPE_DELETE:
		drop(call);
		return;
	case SHAPE_PRESENCE:
		ask_presence(call);
		return;
	case SHAPE_TICKET:
		store_give_ticket(driver_of(call)->store, call->game_id,
		                  call->ticket->hash, call->token_hash,
		                  on_ticket_given, call);
		return;
	case SHAPE_ANSWER:
	case SHAPE_PING:
	case SHAPE_LOBBY:
	case SHAPE_CREATE:
		break;
	}
	/* These shapes load nothing, so they never come here. */
	assert(false);
}

/* Perhaps the answer is about a game that the request created. */
static void replay(struct call *call)
{
	struct uuid follow = call->follow;

	call->follow = (struct uuid){ { 0 } };
	if (uuid_is_none(follow)) {
		answer(call);
		return;
	}
	call->game_id = follow;
	load(call);
}

static void on_loaded(void *arg, enum store_result result,
                      const struct store_game *game)
{
	struct call *call = arg;

	if (result != STORE_OK && result != STORE_NONE) {
		fail(call, result);
		return;
	}
	enum err err = call_admit(call, result == STORE_OK ? game : NULL);
	hear(call);
	if (err)
		refuse(call, err);
	else if (call->is_replay)
		replay(call);
	else
		go_on(call);
}

static void load(struct call *call)
{
	if (!call->waiting && too_late(call))
		return;
	store_load(driver_of(call)->store, call->game_id, keyed_hash(call),
	           &call->req->arena, on_loaded, call);
}

static void on_found(void *arg, enum store_result result, struct uuid id)
{
	struct call *call = arg;

	if (result == STORE_NONE) {
		enum err err = call_admit(call, NULL);
		refuse(call, err);
		return;
	}
	if (result != STORE_OK) {
		fail(call, result);
		return;
	}
	call->game_id = id;
	load(call);
}

/* --- the first stage ----------------------------------------------------- */

static void on_ping(void *arg, enum store_result result, int64_t at_us)
{
	struct call *call = arg;

	(void)at_us;
	if (result != STORE_OK)
		fail(call, result);
	else
		answer(call);
}

static void ping(struct call *call)
{
	struct driver *driver = driver_of(call);

	if (driver->draining) {
		call->req->detail = "The service is shutting down.";
		refuse(call, ERR_STORE_UNAVAILABLE);
	} else if (!store_is_ready(driver->store)) {
		refuse(call, ERR_STORE_UNAVAILABLE);
	} else {
		store_ping(driver->store, on_ping, call);
	}
}

static void watch(struct call *call)
{
	prepare_to_wait(call);
	load(call);
}

/* Who asks is the one that the ticket was given to. */
static void on_ticket_used(void *arg, enum store_result result,
                           const uint8_t *token_hash)
{
	struct call *call = arg;

	if (result == STORE_NONE) {
		refuse(call, ERR_INVALID_TOKEN);
		return;
	}
	if (result != STORE_OK) {
		fail(call, result);
		return;
	}
	memcpy(call->token_hash, token_hash, TOKEN_HASH_SIZE);
	call->has_token = true;
	call->begun = arena_mark(&call->req->arena);
	watch(call);
}

static void begin(struct call *call)
{
	switch (call->route->shape) {
	case SHAPE_ANSWER:
		answer(call);
		return;
	case SHAPE_PING:
		ping(call);
		return;
	case SHAPE_CREATE:
		if (keyed_hash(call))
			find_creation(call);
		else
			create_first(call);
		return;
	case SHAPE_LOBBY:
		store_lobby(driver_of(call)->store, &call->wanted,
		            &call->req->arena, on_lobby, call);
		return;
	case SHAPE_WATCH:
		watch(call);
		return;
	case SHAPE_EVENTS:
		if (call->ticket)
			store_use_ticket(driver_of(call)->store, call->game_id,
			                 call->ticket->hash, &call->req->arena,
			                 on_ticket_used, call);
		else
			watch(call);
		return;
	case SHAPE_READ:
	case SHAPE_MOVE:
	case SHAPE_REMATCH:
	case SHAPE_LEAVE:
	case SHAPE_DELETE:
	case SHAPE_PRESENCE:
	case SHAPE_TICKET:
		if (call->has_code)
			store_find_invitation(driver_of(call)->store,
			                      call->code, on_found, call);
		else
			load(call);
		return;
	}
}

enum err driver_on_path(struct http_request *req, void *arg)
{
	struct call *call = arena_take(&req->arena, sizeof(*call));

	call->driver = arg;
	req->user = call;
	return call_open(call, req);
}

/* A guess counts, whatever comes of it. */
static enum err read(struct call *call)
{
	enum err err = call_read_token(call);
	enum err limit = limited_take(driver_of(call)->limited, call);

	if (limit)
		return limit;
	return err ? err : call_begin(call);
}

void driver_on_request(struct http_request *req, void *arg)
{
	struct call *call = req->user;

	(void)arg;
	enum err err =
		driver_of(call)->closed ? ERR_STORE_UNAVAILABLE : read(call);
	if (err) {
		refuse(call, err);
		return;
	}
	call->begun = arena_mark(&req->arena);
	begin(call);
}

bool driver_on_connect(const uint8_t *address, void *arg)
{
	const struct driver *driver = arg;

	return limited_connect(driver->limited, address);
}

void driver_on_disconnect(const uint8_t *address, void *arg)
{
	const struct driver *driver = arg;

	limited_disconnect(driver->limited, address);
}
