/*
 * Decides a game's log again.  Each action is stored with its seed beside the
 * first event that it caused, so the rules must come to the same events, byte
 * by byte, and at the end to the stored state.  The first difference ends the
 * run and is named by its event.
 */
#include "operator/operator.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "service/rulesets.h"
#include "service/replay_data.h"
#include "table/table.h"

/* A log on its way through the rules. */
struct replay {
	const struct store_event *events;
	size_t count;
	size_t at; /* the next one to be explained */
	size_t actions;
	struct table table;
};

static bool differs(const struct replay *replay, const char *what)
{
	(void)fprintf(stderr, "event %zu: %s\n", replay->at + 1, what);
	return false;
}

static bool same_bytes(const uint8_t *a, size_t a_len, const uint8_t *b,
                       size_t b_len)
{
	return a_len == b_len && (a_len == 0 || memcmp(a, b, a_len) == 0);
}

static bool same_event(const struct store_event *stored,
                       const struct event *decided)
{
	return stored->type == decided->type && stored->seat == decided->seat &&
	       stored->heist == decided->heist &&
	       stored->color == decided->color &&
	       same_bytes(stored->public_data, stored->public_len,
	                  decided->public_data, decided->public_len) &&
	       same_bytes(stored->private_data, stored->private_len,
	                  decided->private_data, decided->private_len);
}

static bool compare(struct replay *replay, const struct events *events)
{
	for (size_t i = 0; i < events->count; i++, replay->at++) {
		if (replay->at == replay->count)
			return differs(replay, "missing from the log");
		const struct store_event *stored = &replay->events[replay->at];
		if (stored->version != replay->at + 1)
			return differs(replay, "has another version");
		if (i > 0 && stored->replay_data)
			return differs(replay, "begins another action");
		if (!same_event(stored, &events->list[i]))
			return differs(replay, "differs from the rules");
	}
	return true;
}

static bool replay_action(struct replay *replay)
{
	const struct store_event *first = &replay->events[replay->at];
	struct events events = { .count = 0 };
	struct action action;
	struct rng rng;
	bool has_seed;

	if (!first->replay_data ||
	    !replay_data_read(first->replay_data, first->replay_len, &action,
	                      &rng, &has_seed))
		return differs(replay, "does not name its action");
	bool creates =
		action.verb == VERB_CREATE || action.verb == VERB_START_REMATCH;
	if (creates != (replay->at == 0))
		return differs(replay, "creates in the wrong place");
	if (action.seat > replay->table.seats)
		return differs(replay, "is of a seat that nobody has");
	if (table_apply(&replay->table, &action, &rng, &events))
		return differs(replay, "is of an action that is refused");
	if (rng.used != has_seed)
		return differs(replay, "has a seed too many or too few");
	replay->actions++;
	return compare(replay, &events);
}

static bool same_game(const struct replay *replay,
                      const struct store_game *game)
{
	const struct table *table = &replay->table;
	uint8_t state[RULESET_STATE_MAX];
	size_t len = table->rules->encode(table->state, state);

	return game->version == table->version &&
	       strcmp(game->status, status_code(table->status)) == 0 &&
	       game->seats_max == table->seats_max &&
	       game->seats_count == table->seats && game->host == table->host &&
	       same_bytes(game->state, game->state_len, state, len);
}

static bool replay_all(struct replay *replay, const struct store_game *game,
                       struct arena *arena)
{
	replay->table.rules = rulesets_find(game->ruleset);
	if (!replay->table.rules) {
		(void)fprintf(stderr, "the rules of the game are unknown\n");
		return false;
	}
	/* Parts of its log were decided by rules that are not here any more. */
	if (replay->table.rules->rules_version != game->rules_version) {
		(void)fprintf(stderr,
		              "the game was begun under version %u of its "
		              "rules, and this program decides by version %u: "
		              "its log cannot be compared\n",
		              game->rules_version,
		              replay->table.rules->rules_version);
		return false;
	}
	replay->table.state =
		arena_zalloc(arena, replay->table.rules->state_size);
	while (replay->at < replay->count) {
		if (!replay_action(replay))
			return false;
	}
	if (!same_game(replay, game)) {
		(void)fprintf(stderr, "the stored state is not the one that "
		                      "the log leads to\n");
		return false;
	}
	(void)printf("%zu actions, %zu events: the same state\n",
	             replay->actions, replay->count);
	return true;
}

bool operator_replay(struct admin *admin, struct uuid id)
{
	struct replay replay = { .at = 0 };
	const struct store_event *events = NULL;
	struct store_game game;
	struct arena arena;
	bool same = false;

	arena_init(&arena);
	enum store_result result = admin_load(admin, id, &arena, &game);
	if (result == STORE_OK)
		result =
			admin_events(admin, id, &arena, &events, &replay.count);
	replay.events = events;
	/* Events that were committed after the game was read are not compared.
	 */
	while (replay.count > 0 &&
	       events[replay.count - 1].version > game.version)
		replay.count--;
	if (result == STORE_OK)
		same = replay_all(&replay, &game, &arena);
	else
		(void)fprintf(stderr, result == STORE_NONE
		                              ? "there is no such game\n"
		                              : "the game cannot be read\n");
	arena_fini(&arena);
	return same;
}
