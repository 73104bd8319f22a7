/*
 * intake.c - when notifications are taken, and of which targets.
 *
 * One statement is under way at a time.  It takes notifications of any games.
 * Where no statement may lock rows of several games, one statement finds the
 * games, and then one for each game takes its notifications.  Notifications
 * that this process cannot send are left to other processes until they expire.
 */
#include "sender/intake.h"

#include "base/clock.h"
#include "store/store.h"

/* How often to look for due notifications, while there are some and else. */
static const uint64_t busy_ns = 50 * CLOCK_NS_PER_MS;
static const uint64_t idle_ns = 250 * CLOCK_NS_PER_MS;
static const uint64_t busy_for_ns = 2000 * CLOCK_NS_PER_MS;

void intake_open(struct intake *intake, const struct sender_config *config,
                 intake_fn *handle, void *arg)
{
	*intake = (struct intake){ .config = config,
		                   .handle = handle,
		                   .arg = arg };
	arena_init(&intake->arena);
}

void intake_close(struct intake *intake)
{
	arena_fini(&intake->arena);
}

/* Go on at once with the next games that were found. */
static bool has_games(const struct intake *intake)
{
	return intake->games_next < intake->games_count;
}

/* The end of a statement; false: it failed. */
static bool end_asking(struct intake *intake, const struct store_answer *answer)
{
	uint64_t now_ns = clock_monotonic_ns();

	intake->is_asking = false;
	if (answer->result != STORE_OK) {
		intake->games_count = 0;
		intake->take_at_ns = now_ns + idle_ns;
	} else if (answer->count > 0) {
		intake->busy_until_ns = now_ns + busy_for_ns;
	}
	return answer->result == STORE_OK;
}

static void on_taken(void *arg, const struct store_answer *answer)
{
	struct intake *intake = arg;

	if (end_asking(intake, answer)) {
		for (size_t i = 0; i < answer->count; i++)
			intake->handle(intake->arg, &answer->notifications[i]);
	}
	/* The rest, for which there was no room, is found again. */
	if (has_games(intake))
		intake->games_next++;
	arena_reset(&intake->arena);
}

static void on_found(void *arg, const struct store_answer *answer)
{
	struct intake *intake = arg;

	if (end_asking(intake, answer)) {
		intake->games_next = 0;
		intake->games_count = answer->count;
		for (size_t i = 0; i < answer->count; i++)
			intake->games[i] = answer->due[i].id;
	}
	arena_reset(&intake->arena);
}

static void limit(struct intake *intake, const struct in_flight *in_flight)
{
	const struct sender_config *config = intake->config;
	struct store_taking *taking = &intake->taking;

	in_flight_limit(in_flight, taking);
	taking->push_delay_ms =
		config->vapid ? config->delay_ms : STORE_LEFT_MS;
	taking->webhook_delay_ms =
		config->webhook_url[0] ? config->delay_ms : STORE_LEFT_MS;
	taking->lease_ms = INTAKE_LEASE_MS;
}

static void look(struct intake *intake)
{
	struct store *store = intake->config->store;
	uint64_t now_ns = clock_monotonic_ns();

	intake->take_at_ns =
		now_ns + (now_ns < intake->busy_until_ns ? busy_ns : idle_ns);
	if (intake->config->takes_singly)
		store_find_due_notifications(store, &intake->taking,
		                             &intake->arena, on_found, intake);
	else
		store_take_notifications(store, &intake->taking, &intake->arena,
		                         on_taken, intake);
}

void intake_take(struct intake *intake, const struct in_flight *in_flight)
{
	if (intake->is_asking || intake_wait_ns(intake))
		return;
	limit(intake, in_flight);
	if (intake->taking.push_limit + intake->taking.webhook_limit == 0)
		return;
	intake->is_asking = true;
	if (has_games(intake))
		store_take_game_notifications(intake->config->store,
		                              intake->games[intake->games_next],
		                              &intake->taking, &intake->arena,
		                              on_taken, intake);
	else
		look(intake);
}

uint64_t intake_wait_ns(const struct intake *intake)
{
	uint64_t now_ns = clock_monotonic_ns();

	return has_games(intake) || intake->take_at_ns <= now_ns
	               ? 0
	               : intake->take_at_ns - now_ns;
}
