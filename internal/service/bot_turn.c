/*
 * bot_turn.c - asks the bots of a game what they do.  Each gets the view of its
 * seat, and events as that seat sees them; this file adds nothing to what a
 * person there would know.  A seed is made of the secret bytes of the bot's
 * seat (bot_seats.c), and of game and version.  So a process that takes the
 * game over finds the same decision, and nobody can compute it beforehand.
 */
#include "service/bot_turn.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "service/game.h"
#include "service/rulesets.h"
#include "service/stored_game.h"

/* After the end of a game of bots alone, time to look at it. */
enum { REMATCH_THINK_MS = 5000 };

struct bot_work {
	size_t count;
	void *of[]; /* by the place of the ruleset; NULL: not needed */
};

struct bot_work *bot_turn_open_work(void)
{
	struct bot_work *work;
	size_t count;

	(void)rulesets_codes(&count);
	work = xcalloc(1, sizeof(*work) + count * sizeof(work->of[0]));
	work->count = count;
	for (size_t i = 0; i < count; i++) {
		const struct ruleset *rules = rulesets_at(i)->rules;

		if (!bot_work_size(rules))
			continue;
		work->of[i] = xmalloc(bot_work_size(rules));
		bot_work_init(rules, work->of[i]);
	}
	return work;
}

void bot_turn_close_work(struct bot_work *work)
{
	for (size_t i = 0; i < work->count; i++)
		free(work->of[i]);
	free(work);
}

bool bot_turn_may_be(const struct call *call)
{
	const struct table *table = &call->game.table;

	return table->bots && table->status != STATUS_LOBBY &&
	       bot_plays(table->rules);
}

bool bot_turn_is_unseen(const struct call *call)
{
	const struct table *table = &call->game.table;

	return !table_persons(table) && !table->spectators;
}

static void make_seed(const struct call *call, unsigned seat,
                      uint8_t seed[RNG_SEED_SIZE])
{
	const struct store_game *game = call->game.loaded;

	_Static_assert((int)RNG_SEED_SIZE == (int)STORE_HASH_SIZE, "");
	memcpy(seed, game->seats[seat - 1].token_hash, RNG_SEED_SIZE);
	for (unsigned i = 0; i < sizeof(game->version); i++)
		seed[i] ^= (uint8_t)(game->version >> 8 * i);
	for (unsigned i = 0; i < sizeof(game->id.bytes); i++)
		seed[RNG_SEED_SIZE - 1 - i] ^= game->id.bytes[i];
}

/* False for one that the rules did not write: it has names, or is damaged. */
static bool read_event(const struct store_event *stored, struct event *event)
{
	if (event_has_names(stored->type) ||
	    stored->public_len > EVENT_PUBLIC_MAX ||
	    stored->private_len > EVENT_PRIVATE_MAX)
		return false;
	*event = (struct event){
		.type = stored->type,
		.seat = stored->seat,
		.part = stored->part,
		.subpart = stored->subpart,
		.public_len = (uint8_t)stored->public_len,
		.private_len = (uint8_t)stored->private_len,
	};
	if (stored->public_len)
		memcpy(event->public_data, stored->public_data,
		       stored->public_len);
	if (stored->private_len)
		memcpy(event->private_data, stored->private_data,
		       stored->private_len);
	return true;
}

static void ask(struct call *call, unsigned seat,
                const struct store_event *events, size_t count,
                struct bot_work *work, struct bot_decision *decision)
{
	const struct table *table = &call->game.table;
	struct arena *arena = &call->req->arena;
	struct event *seen = arena_zalloc(arena, (count + 1) * sizeof(*seen));
	struct bot_input input = {
		.events = seen,
		.level = (enum bot_level)(
			call->game.loaded->seats[seat - 1].bot_level - 1),
	};
	struct event event;

	call->caller.seat = seat;
	input.view = stored_game_view(call);
	for (size_t i = 0; i < count; i++) {
		if (read_event(&events[i], &event) &&
		    bot_see(table->rules, input.view, &event,
		            &seen[input.events_count]))
			input.events_count++;
	}
	for (unsigned other = 1; other <= table->seats; other++) {
		if (table_is_taken(table, other) && !table_is_bot(table, other))
			input.persons |= (uint8_t)(1U << other);
	}
	make_seed(call, seat, input.seed);
	bot_decide(table->rules, &input, work->of[rulesets_place(table->rules)],
	           decision);
	decision->action.seat = (uint8_t)seat;
}

/* Only bots play, and the game is over. */
static void decide_rematch_of(const struct call *call,
                              struct bot_decision *decision)
{
	const struct table *table = &call->game.table;

	if (table_persons(table) || table_check_rematch(table) ||
	    table_players(table) < table->rules->seats_min)
		return;
	*decision = (struct bot_decision){
		.action = { .verb = VERB_REMATCH, .seat = table->host },
		.think_ms = REMATCH_THINK_MS,
	};
}

void bot_turn_decide(struct call *call, const struct store_event *events,
                     size_t count, struct bot_work *work,
                     struct bot_decision *decision)
{
	const struct table *table = &call->game.table;

	*decision = (struct bot_decision){ .action.verb = VERB_NONE };
	if (status_is_over(table->status)) {
		decide_rematch_of(call, decision);
		return;
	}
	for (unsigned seat = 1; seat <= table->seats; seat++) {
		struct arena_mark mark = arena_mark(&call->req->arena);
		struct bot_decision other;

		if (!table_is_bot(table, seat))
			continue;
		ask(call, seat, events, count, work, &other);
		if (other.action.verb != VERB_NONE &&
		    (decision->action.verb == VERB_NONE ||
		     other.think_ms < decision->think_ms))
			*decision = other;
		arena_rewind(&call->req->arena, mark);
	}
}
