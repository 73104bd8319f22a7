/*
 * The first event of each action stores the action and its seed as replay_data,
 * so the rules must decide the same events again, byte by byte, and end at the
 * stored state.  The replay reports the first difference and stops.
 */
#include "operator/operator.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "service/replay_data.h"
#include "service/rulesets.h"
#include "service/stored_game.h"
#include "table/table.h"

struct replay {
	const struct store_event *events;
	size_t count;
	size_t at; /* the next event to compare */
	size_t actions;
	struct table table;
};

static bool same_bytes(const uint8_t *a, size_t a_len, const uint8_t *b,
                       size_t b_len)
{
	return a_len == b_len && (a_len == 0 || memcmp(a, b, a_len) == 0);
}

/* The rules do not decide names, and they may have been erased since. */
static bool same_event(const struct store_event *stored,
                       const struct event *decided)
{
	return stored->type == decided->type && stored->seat == decided->seat &&
	       stored->part == decided->part &&
	       stored->subpart == decided->subpart &&
	       (event_has_names(decided->type) ||
	        same_bytes(stored->public_data, stored->public_len,
	                   decided->public_data, decided->public_len)) &&
	       same_bytes(stored->private_data, stored->private_len,
	                  decided->private_data, decided->private_len);
}

/* Returns the difference, or NULL. */
static const char *compare(struct replay *replay, const struct events *events)
{
	for (size_t i = 0; i < events->count; i++, replay->at++) {
		if (replay->at == replay->count)
			return "the log ends, but the rules have more events";
		const struct store_event *stored = &replay->events[replay->at];
		if (stored->version != replay->at + 1)
			return "its version is not its position in the log";
		if (i > 0 && stored->replay_data)
			return "a new action begins, but the rules have more "
			       "events";
		if (!same_event(stored, &events->list[i]))
			return "the rules have another event here";
	}
	return NULL;
}

/* Returns why the action cannot be replayed, or the difference, or NULL. */
static const char *replay_action(struct replay *replay)
{
	const struct store_event *first = &replay->events[replay->at];
	struct events events = { .count = 0 };
	struct action action;
	struct rng rng;
	bool has_seed;

	if (!first->replay_data ||
	    !replay_data_read(first->replay_data, first->replay_len, &action,
	                      &rng, &has_seed))
		return "its action is missing or damaged";
	bool creates =
		action.verb == VERB_CREATE || action.verb == VERB_START_REMATCH;
	if (creates != (replay->at == 0))
		return "the first action, and no other, must create the game";
	if (action.seat > replay->table.seats)
		return "its action is of a seat that does not exist";
	if (table_apply(&replay->table, &action, &rng, &events))
		return "the rules refuse its action";
	if (rng.used != has_seed)
		return "the log has a seed that is not used, or lacks one";
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
	       stored_game_bots(game) == table->bots &&
	       same_bytes(game->state, game->state_len, state, len);
}

static bool replay_all(struct replay *replay, const struct store_game *game,
                       struct arena *arena)
{
	replay->table.rules = rulesets_find(game->ruleset);
	if (!replay->table.rules) {
		(void)fprintf(
			stderr,
			"this gangctl does not have the rules of the game; "
			"run that of a later release\n");
		return false;
	}
	/* Older rules decided the beginning of its log. */
	if (replay->table.rules->rules_version != game->rules_version) {
		(void)fprintf(stderr,
		              "the game began with version %u of its rules, "
		              "but this gangctl has version %u; run that of a "
		              "release with the same version\n",
		              game->rules_version,
		              replay->table.rules->rules_version);
		return false;
	}
	replay->table.state =
		arena_zalloc(arena, replay->table.rules->state_size);
	/* Skip events that were committed after the game was read. */
	while (replay->count > 0 &&
	       replay->events[replay->count - 1].version > game->version)
		replay->count--;
	while (replay->at < replay->count) {
		const char *difference = replay_action(replay);
		if (!difference)
			continue;
		(void)fprintf(stderr, "event %zu: %s\n", replay->at + 1,
		              difference);
		return false;
	}
	if (!same_game(replay, game)) {
		(void)fprintf(stderr, "the stored state differs from the "
		                      "state at the end of the log\n");
		return false;
	}
	return true;
}

static enum finding load(struct admin *admin, struct uuid id,
                         struct arena *arena, struct store_game *game,
                         struct replay *replay)
{
	enum finding finding = admin_load(admin, id, arena, game);

	if (finding == FINDING_FOUND)
		finding = admin_events(admin, id, arena, &replay->events,
		                       &replay->count);
	return finding;
}

enum verdict operator_replay(struct admin *admin, struct uuid id)
{
	struct replay replay = { .at = 0 };
	enum verdict verdict = VERDICT_BAD;
	struct store_game game;
	struct arena arena;
	char name[UUID_TEXT_LEN + 1];

	uuid_print(id, name);
	arena_init(&arena);
	switch (load(admin, id, &arena, &game, &replay)) {
	case FINDING_UNKNOWN:
		verdict = VERDICT_UNKNOWN;
		break;
	case FINDING_ABSENT:
		break;
	case FINDING_FOUND:
		if (replay_all(&replay, &game, &arena))
			verdict = VERDICT_DONE;
		break;
	}
	arena_fini(&arena);
	if (verdict == VERDICT_DONE)
		(void)printf("%s: %zu actions, %zu events: the same state\n",
		             name, replay.actions, replay.count);
	else
		(void)fprintf(stderr, "%s: %s\n", name,
		              verdict == VERDICT_BAD
		                      ? "not replayed to its stored state"
		                      : "not replayed: it is not known whether "
		                        "its log gives its stored state");
	return verdict;
}
