/*
 * bot_thread.c - the thread that plays for bots, with a store of its own.
 *
 * Each game that was taken has a turn: load the game, load its newest events,
 * decide, and then commit the move, or let the bots rest until the first of
 * them has thought long enough.  With GANGD_BATCH=0 a turn begins by taking the
 * game, with a statement of its own.  Only the database keeps what is due, so a
 * turn may end anywhere: when its lease expires, a daemon takes the game again.
 * A move is committed only to the version that was loaded, so no move is made
 * twice.
 *
 * Statements of several turns are on their way at a time; the thread itself
 * waits in one place, wait_for_anything().
 */
#include "loop/bot_thread.h"

#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/random.h"
#include "loop/mailbox.h"
#include "metric/metric.h"
#include "service/bot_turn.h"
#include "service/decide.h"
#include "service/endings.h"
#include "service/stored_game.h"

enum {
	TURNS_MAX = 16,
	PERCENT = 100,
	WAITING_MS = 5000, /* for room among the bot-only games */
};

/* How often to look for due games: within busy_for_ns of finding some; else. */
static const uint64_t busy_ns = 50 * CLOCK_NS_PER_MS;
static const uint64_t idle_ns = 1000 * CLOCK_NS_PER_MS;
static const uint64_t busy_for_ns = 5000 * CLOCK_NS_PER_MS;

/* How long the limit of bot-only games is cached. */
static const uint64_t limit_for_ns = 1000 * CLOCK_NS_PER_MS;

/* A game that was taken. */
struct bot_turn {
	struct bot_thread *thread;
	bool is_busy;
	struct store_due due;
	uint64_t taken_ns;
	struct http_request req; /* for its arena; there is no client */
	struct call call;
};

struct bot_thread {
	pthread_t thread;
	atomic_bool stops;
	struct mailbox mailbox; /* only to be woken */
	struct store *store;
	context_committed_fn committed;
	void *arg;
	bool takes_singly; /* games that were only found */
	struct service_config service;
	unsigned pace; /* percent */
	unsigned games_max;
	struct bot_work *work;

	struct arena arena; /* of the games that are being taken */
	bool is_taking;
	uint64_t take_at_ns;
	uint64_t busy_until_ns;

	/* The first bot-only game that must wait; zeros: no game must. */
	struct uuid limit;
	uint64_t limit_until_ns;

	struct bot_turn turns[TURNS_MAX];
};

/* --- turns ---------------------------------------------------------------- */

static void end_turn(struct bot_turn *turn)
{
	arena_reset(&turn->req.arena);
	turn->is_busy = false;
}

static void on_rest(void *arg, const struct store_answer *answer)
{
	(void)answer;
	end_turn(arg);
}

static void rest(struct bot_turn *turn, int rest_ms)
{
	store_rest_bots(turn->thread->store,
	                (struct store_version){
				turn->call.game.id,
				turn->call.game.loaded->version },
	                rest_ms, on_rest, turn);
}

/* The next move of the same game may be due at once. */
static void on_committed_move(void *arg, const struct store_answer *answer)
{
	struct bot_turn *turn = arg;
	struct bot_thread *thread = turn->thread;
	struct call *call = &turn->call;
	const struct ended *ended = call->decided.ended;

	if (answer->result == STORE_CONFLICT)
		metric_add(METRIC_BOT_LEASES_LOST, 0, 1);
	if (answer->was_sent && answer->result == STORE_UNAVAILABLE) {
		const struct committed unknown = { .game = call->game.id,
			                           .is_in_doubt = true };
		thread->committed(thread->arg, &unknown);
	}
	if (answer->result == STORE_OK) {
		metric_add(METRIC_BOT_MOVES, 0, 1);
		endings_count(call);
		struct committed committed =
			handover_committed(call, answer->at_us);
		thread->committed(thread->arg, &committed);
		if (ended) {
			committed.game = ended->loaded->id;
			committed.version = ended->next.version;
			thread->committed(thread->arg, &committed);
		}
		thread->take_at_ns = 0;
	}
	end_turn(turn);
}

/* A decision that the rules refuse is a fault: the bots rest, and do not spin.
 */
static void commit(struct bot_turn *turn, const struct action *action)
{
	struct call *call = &turn->call;
	struct store *store = turn->thread->store;
	bool is_rematch = action->verb == VERB_REMATCH;
	uint8_t seed[RNG_SEED_SIZE];
	enum err err = ERR_INTERNAL;

	call->wanted.action = *action;
	call->caller.seat = action->seat;
	if (random_bytes(seed, sizeof(seed)))
		err = is_rematch ? decide_rematch(call, seed)
		                 : decide_move(call, seed);
	if (err) {
		LOG(LOG_ERROR, "bot_refused", LOG_TEXT("game", call->game.text),
		    LOG_INT("verb", action->verb),
		    LOG_TEXT("code", err_code(err)));
		end_turn(turn); /* the lease lasts for a while */
	} else if (is_rematch) {
		store_rematch(store, &call->decided.ended->move,
		              &call->decided.move, on_committed_move, turn);
	} else {
		store_commit_move(store, &call->decided.move, on_committed_move,
		                  turn);
	}
}

/* The time since the game changed. */
static uint64_t since_ms(const struct bot_turn *turn)
{
	uint64_t here_ns = clock_monotonic_ns() - turn->taken_ns;

	return turn->due.since_ms + here_ns / CLOCK_NS_PER_MS;
}

static void on_events(void *arg, const struct store_answer *answer)
{
	struct bot_turn *turn = arg;
	struct bot_thread *thread = turn->thread;
	struct bot_decision decision;

	if (answer->result != STORE_OK) {
		end_turn(turn);
		return;
	}
	uint64_t begun_ns = clock_monotonic_ns();
	bot_turn_decide(&turn->call, answer->events, answer->count,
	                thread->work, &decision);
	metric_observe_ns(METRIC_BOT_SECONDS, 0,
	                  clock_monotonic_ns() - begun_ns);
	uint64_t think_ms = decision.think_ms;
	/* Bots start rematches without end, so there is always a pause. */
	if (decision.action.verb != VERB_REMATCH)
		think_ms = think_ms * thread->pace / PERCENT;
	uint64_t thought_ms = since_ms(turn);
	if (decision.action.verb == VERB_NONE)
		rest(turn, STORE_REST_ON);
	else if (think_ms > thought_ms)
		rest(turn, (int)(think_ms - thought_ms));
	else
		commit(turn, &decision.action);
}

static void load_events(struct bot_turn *turn)
{
	struct call *call = &turn->call;
	uint32_t version = call->game.loaded->version;
	struct store_page page = { .up_to = version, .limit = BOT_TURN_EVENTS };

	if (version > BOT_TURN_EVENTS)
		page.after = version - BOT_TURN_EVENTS;
	store_events(turn->thread->store, call->game.id, page, &turn->req.arena,
	             on_events, turn);
}

/* Bot-only games: the oldest ones go on, and the others wait. */
static void play_alone(struct bot_turn *turn)
{
	const struct bot_thread *thread = turn->thread;

	if (!uuid_is_none(thread->limit) &&
	    memcmp(turn->call.game.id.bytes, thread->limit.bytes,
	           sizeof(thread->limit.bytes)) >= 0)
		rest(turn, WAITING_MS);
	else
		load_events(turn);
}

static void on_limit(void *arg, const struct store_answer *answer)
{
	struct bot_turn *turn = arg;
	struct bot_thread *thread = turn->thread;

	if (answer->result != STORE_OK && answer->result != STORE_NONE) {
		end_turn(turn);
		return;
	}
	thread->limit = answer->id;
	thread->limit_until_ns = clock_monotonic_ns() + limit_for_ns;
	play_alone(turn);
}

static void on_loaded(void *arg, const struct store_answer *answer)
{
	struct bot_turn *turn = arg;
	struct bot_thread *thread = turn->thread;
	struct call *call = &turn->call;

	if (answer->result != STORE_OK ||
	    stored_game_decode(call, answer->game) != ERR_OK)
		end_turn(turn); /* gone, or damaged: the log says so */
	else if (!bot_turn_may_be(call) || bot_turn_is_unseen(call))
		rest(turn, STORE_REST_ON);
	else if (table_persons(&call->game.table))
		load_events(turn);
	else if (clock_monotonic_ns() < thread->limit_until_ns)
		play_alone(turn);
	else
		store_find_bot_limit(thread->store, thread->games_max, on_limit,
		                     turn);
}

static void load_game(struct bot_turn *turn, const struct store_due *due)
{
	struct store_load load = { .id = due->id };

	turn->due = *due;
	turn->taken_ns = clock_monotonic_ns();
	store_load(turn->thread->store, &load, &turn->req.arena, on_loaded,
	           turn);
}

static void on_taken_singly(void *arg, const struct store_answer *answer)
{
	struct bot_turn *turn = arg;

	if (answer->result == STORE_OK && answer->count > 0) {
		load_game(turn, answer->due);
		return;
	}
	end_turn(turn); /* another daemon took it, or it cannot be taken now */
	if (answer->result != STORE_OK)
		turn->thread->take_at_ns = clock_monotonic_ns() + idle_ns;
}

static void begin_turn(struct bot_turn *turn, const struct store_due *due)
{
	struct bot_thread *thread = turn->thread;
	struct arena arena = turn->req.arena;

	turn->is_busy = true;
	turn->req = (struct http_request){ .arena = arena };
	turn->call = (struct call){
		.req = &turn->req,
		.config = &thread->service,
	};
	if (thread->takes_singly)
		store_take_bot(thread->store, due->id, &turn->req.arena,
		               on_taken_singly, turn);
	else
		load_game(turn, due);
}

/* --- taking games --------------------------------------------------------- */

static unsigned free_turns(const struct bot_thread *thread)
{
	unsigned count = 0;

	for (unsigned i = 0; i < TURNS_MAX; i++)
		count += !thread->turns[i].is_busy;
	return count;
}

static void on_taken(void *arg, const struct store_answer *answer)
{
	struct bot_thread *thread = arg;
	uint64_t now_ns = clock_monotonic_ns();
	struct bot_turn *turn = thread->turns;

	thread->is_taking = false;
	if (answer->result != STORE_OK)
		thread->take_at_ns = now_ns + idle_ns;
	else if (answer->count > 0)
		thread->busy_until_ns = now_ns + busy_for_ns;
	/* No turn has begun since they were asked for, so there is room. */
	for (size_t i = 0; i < answer->count; i++) {
		while (turn->is_busy)
			turn++;
		begin_turn(turn, &answer->due[i]);
	}
	arena_reset(&thread->arena);
}

static void take(struct bot_thread *thread)
{
	uint64_t now_ns = clock_monotonic_ns();
	unsigned room = free_turns(thread);

	if (thread->is_taking || now_ns < thread->take_at_ns || !room ||
	    thread->stops)
		return;
	thread->is_taking = true;
	thread->take_at_ns =
		now_ns + (now_ns < thread->busy_until_ns ? busy_ns : idle_ns);
	if (thread->takes_singly)
		store_find_due_bots(thread->store, room, &thread->arena,
		                    on_taken, thread);
	else
		store_take_bots(thread->store, room, &thread->arena, on_taken,
		                thread);
}

/* --- the thread ----------------------------------------------------------- */

static void wait_for_anything(struct bot_thread *thread)
{
	struct pollfd fds[] = {
		{ .fd = store_fd(thread->store), .events = POLLIN },
		{ .fd = thread->mailbox.wake_fd, .events = POLLIN },
	};
	uint64_t now_ns = clock_monotonic_ns();
	uint64_t wait_ns = store_timeout_ns(thread->store);
	struct mail mails[MAILBOX_MAX];

	if (!thread->is_taking && free_turns(thread)) {
		uint64_t take_ns = thread->take_at_ns > now_ns
		                           ? thread->take_at_ns - now_ns
		                           : 0;
		wait_ns = take_ns < wait_ns ? take_ns : wait_ns;
	}
	if (wait_ns > idle_ns)
		wait_ns = idle_ns;
	int count =
		poll(fds, ARRAY_LEN(fds),
	             (int)((wait_ns + CLOCK_NS_PER_MS - 1) / CLOCK_NS_PER_MS));
	if (count > 0 && fds[1].revents) {
		(void)mailbox_take(&thread->mailbox, mails);
		thread->take_at_ns = 0;
	}
}

static void *run(void *arg)
{
	struct bot_thread *thread = arg;

	log_gather();
	metric_begin();
	while (!thread->stops) {
		log_flush();
		wait_for_anything(thread);
		store_run(thread->store);
		take(thread);
		store_flush(thread->store);
	}
	store_close(thread->store); /* ends all turns */
	log_flush();
	return NULL;
}

struct bot_thread *bot_thread_open(const struct settings *settings,
                                   context_committed_fn committed, void *arg)
{
	struct store_config store = {
		.url = settings->database_url,
		.connections = settings->bot_connections,
		.deadline_ms = settings->database_timeout_ms,
		.batch_max = settings->batch,
	};
	struct bot_thread *thread;

	if (!settings->bots)
		return NULL;
	thread = xcalloc(1, sizeof(*thread));
	thread->committed = committed;
	thread->arg = arg;
	thread->takes_singly = settings->batch == 0;
	thread->service.has_webhook = settings->webhook_url[0] != '\0';
	thread->pace = settings->bot_pace;
	thread->games_max = settings->bot_games;
	thread->work = bot_turn_open_work();
	arena_init(&thread->arena);
	for (unsigned i = 0; i < TURNS_MAX; i++) {
		thread->turns[i].thread = thread;
		arena_init(&thread->turns[i].req.arena);
	}
	thread->store = store_open(&store);
	mailbox_open(&thread->mailbox);
	memory_expect_thread(
		pthread_create(&thread->thread, NULL, run, thread));
	return thread;
}

void bot_thread_wake(struct bot_thread *thread)
{
	if (thread)
		mailbox_wake(&thread->mailbox);
}

void bot_thread_stop(struct bot_thread *thread)
{
	if (thread)
		thread->stops = true;
	bot_thread_wake(thread);
}

void bot_thread_close(struct bot_thread *thread)
{
	if (!thread)
		return;
	int res = pthread_join(thread->thread, NULL);
	assert(res == 0);
	(void)res;
	mailbox_close(&thread->mailbox);
	for (unsigned i = 0; i < TURNS_MAX; i++)
		arena_fini(&thread->turns[i].req.arena);
	arena_fini(&thread->arena);
	bot_turn_close_work(thread->work);
	free(thread);
}
