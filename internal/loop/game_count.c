/*
 * One statement at a time.  Its answer sets a gauge for each ruleset and status
 * in the cells of the loop; a pair that the answer does not name has no games.
 * When the statement fails, the gauges keep the last count and its time.
 */
#include "loop/game_count.h"

#include <string.h>

#include "base/clock.h"
#include "metric/metric.h"
#include "service/rulesets.h"
#include "table/ruleset.h"

static const uint64_t least_ns = 15 * CLOCK_NS_PER_S;
enum { PAUSE_TIMES = 100 };

void game_count_init(struct game_count *count)
{
	arena_init(&count->arena);
}

void game_count_fini(struct game_count *count)
{
	arena_fini(&count->arena);
}

static void set_gauge(const struct store_count *row)
{
	const struct ruleset *rules = rulesets_find(row->ruleset);
	bool is_lobby = strcmp(row->status, status_code(STATUS_LOBBY)) == 0;

	/* A later daemon may have rulesets that this one does not know. */
	if (rules)
		metric_set(METRIC_GAMES,
		           rulesets_place(rules) * METRIC_ROOM_OPEN +
		                   (is_lobby ? GAME_COUNT_LOBBY
		                             : GAME_COUNT_PLAYING),
		           row->games);
}

static void on_counted(void *arg, const struct store_answer *answer)
{
	struct game_count *count = arg;
	uint64_t now_ns = clock_monotonic_ns();
	uint64_t pause_ns = PAUSE_TIMES * (now_ns - count->asked_ns);
	const unsigned cells = METRIC_ROOM_RULESET * METRIC_ROOM_OPEN;

	count->due_ns = now_ns + (pause_ns > least_ns ? pause_ns : least_ns);
	if (answer->result == STORE_OK) {
		for (unsigned i = 0; i < cells; i++)
			metric_set(METRIC_GAMES, i, 0);
		for (size_t i = 0; i < answer->count; i++)
			set_gauge(&answer->counts[i]);
		metric_set(METRIC_GAMES_COUNTED, 0,
		           (uint64_t)(clock_wall_us() / CLOCK_US_PER_S));
	}
	arena_reset(&count->arena);
	count->is_asking = false;
}

void game_count_run(struct game_count *count, struct store *store)
{
	if (!count ||
	    !atomic_load_explicit(&count->is_wanted, memory_order_relaxed))
		return;
	atomic_store(&count->is_wanted, false);
	uint64_t now_ns = clock_monotonic_ns();
	if (count->is_asking || now_ns < count->due_ns)
		return;
	count->is_asking = true;
	count->asked_ns = now_ns;
	store_count_games(store, &count->arena, on_counted, count);
}
