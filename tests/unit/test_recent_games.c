/*
 * test_recent_games.c - which games are found for their next moves, until when,
 * and that what is found is a copy.
 */
#include "loop/recent_games.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/clock.h"

static const uint8_t hash[STORE_HASH_SIZE] = { 9 };

/* The test says what time it is. */
static uint64_t now_ns = CLOCK_NS_PER_S;

/* NOLINTBEGIN(bugprone-reserved-identifier): the linker's name */
uint64_t __wrap_clock_monotonic_ns(void);

uint64_t __wrap_clock_monotonic_ns(void)
{
	return now_ns;
}
/* NOLINTEND(bugprone-reserved-identifier) */

struct world {
	struct recent_games *games;
	struct arena arena;
};

static int set_up(void **state)
{
	static struct world world;

	world.games = recent_games_open();
	arena_init(&world.arena);
	*state = &world;
	return 0;
}

static int tear_down(void **state)
{
	struct world *world = *state;

	recent_games_close(world->games);
	arena_fini(&world->arena);
	return 0;
}

static struct uuid game_id(unsigned number)
{
	struct uuid id = { { 1, 2, 3 } };

	id.bytes[14] = (uint8_t)(number >> 8);
	id.bytes[15] = (uint8_t)number;
	return id;
}

/* A plain move that led to a version; its parts are overwritten after it. */
static void commit(struct world *world, unsigned number, uint32_t version)
{
	char state[] = "state";
	char name[] = "Ada";
	uint8_t keys[] = { 1 };
	struct store_game game = {
		.id = game_id(number),
		.version = version,
		.revision = 4,
		.status = "playing",
		.invite_code = "CODE",
		.state = (const uint8_t *)state,
		.state_len = strlen(state),
		.recent_keys = keys,
		.recent_keys_len = sizeof(keys),
		.seats_count = 1,
		.seats[0] = { .name = name, .is_stale = true },
		.key.hash = hash,
	};
	const struct store_move move = { .game = &game };
	const struct committed committed = { .game = game.id,
		                             .version = version,
		                             .move = &move,
		                             .at_us = 1000 + version };

	recent_games_note(world->games, &committed);
	memset(state, 'x', sizeof(state));
	memset(name, 'x', sizeof(name));
	keys[0] = 2;
}

/* A change that waiters load, such as one of the seats, or a deletion. */
static void change(struct world *world, unsigned number)
{
	const struct committed committed = { .game = game_id(number) };

	recent_games_note(world->games, &committed);
}

static uint32_t version_of(struct world *world, unsigned number, uint32_t after)
{
	const struct store_game *game =
		recent_games_find(world->games, game_id(number), after,
	                          &world->arena);

	return game ? game->version : 0;
}

static void a_move_leaves_its_game(void **state)
{
	struct world *world = *state;

	assert_int_equal(version_of(world, 1, 0), 0);
	commit(world, 1, 7);
	assert_int_equal(version_of(world, 2, 0), 0);
	const struct store_game *game =
		recent_games_find(world->games, game_id(1), 6, &world->arena);
	commit(world, 1, 8);
	assert_int_equal(game->version, 7);
	assert_int_equal(game->revision, 4);
	assert_int_equal(game->updated_us, 1007);
	assert_string_equal(game->status, "playing");
	assert_string_equal(game->invite_code, "CODE");
	assert_string_equal(game->seats[0].name, "Ada");
	assert_false(game->seats[0].is_stale);
	assert_null(game->key.hash);
	assert_int_equal(game->state_len, 5);
	assert_memory_equal(game->state, "state", 5);
	assert_int_equal(game->recent_keys_len, 1);
	assert_int_equal(game->recent_keys[0], 1);
}

static void only_later_versions_are_found(void **state)
{
	struct world *world = *state;

	commit(world, 1, 7);
	assert_int_equal(version_of(world, 1, 7), 0);
	/* Another loop's commit is noted late. */
	commit(world, 1, 6);
	assert_int_equal(version_of(world, 1, 0), 7);
	commit(world, 1, 9);
	assert_int_equal(version_of(world, 1, 7), 9);
}

static void a_change_of_seats_ends_it(void **state)
{
	struct world *world = *state;

	commit(world, 1, 7);
	change(world, 1);
	assert_int_equal(version_of(world, 1, 0), 0);
	change(world, 2);
	commit(world, 1, 9);
	assert_int_equal(version_of(world, 1, 0), 9);
}

static void it_ends_after_a_minute(void **state)
{
	struct world *world = *state;

	commit(world, 1, 7);
	now_ns += 59 * CLOCK_NS_PER_S;
	assert_int_equal(version_of(world, 1, 0), 7);
	now_ns += CLOCK_NS_PER_S;
	assert_int_equal(version_of(world, 1, 0), 0);
	/* It is freed, or an older version would not be kept after it. */
	recent_games_forget_old(world->games);
	commit(world, 1, 5);
	assert_int_equal(version_of(world, 1, 0), 5);
	now_ns += 60 * CLOCK_NS_PER_S;
	commit(world, 2, 7);
	assert_int_equal(version_of(world, 1, 0), 0);
	commit(world, 1, 8);
	assert_int_equal(version_of(world, 1, 0), 8);
}

/* Its games are loaded for some seconds; then it may be this process alone. */
static void a_game_that_others_change_is_left_out(void **state)
{
	struct world *world = *state;

	commit(world, 1, 7);
	commit(world, 1, 9);
	recent_games_passed(world->games, game_id(1), 9);
	assert_int_equal(version_of(world, 1, 7), 9);
	recent_games_passed(world->games, game_id(1), 10);
	assert_int_equal(version_of(world, 1, 0), 0);
	commit(world, 1, 11);
	assert_int_equal(version_of(world, 1, 0), 0);
	now_ns += 5 * CLOCK_NS_PER_S;
	assert_int_equal(version_of(world, 1, 0), 0);
	commit(world, 1, 12);
	assert_int_equal(version_of(world, 1, 0), 12);
	recent_games_passed(world->games, game_id(2), 12);
	assert_int_equal(version_of(world, 2, 0), 0);
}

/* The oldest go: memory is bounded. */
static void there_are_only_so_many(void **state)
{
	enum { KEPT = 16 * 1024, MORE = 100 };
	struct world *world = *state;

	for (unsigned i = 0; i < KEPT + MORE; i++)
		commit(world, i, i + 1);
	arena_reset(&world->arena);
	for (unsigned i = 0; i < KEPT + MORE; i++) {
		assert_int_equal(version_of(world, i, 0), i < MORE ? 0 : i + 1);
		arena_reset(&world->arena);
	}
}

#define IN_A_WORLD(test) \
	cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_A_WORLD(a_move_leaves_its_game),
		IN_A_WORLD(only_later_versions_are_found),
		IN_A_WORLD(a_change_of_seats_ends_it),
		IN_A_WORLD(it_ends_after_a_minute),
		IN_A_WORLD(a_game_that_others_change_is_left_out),
		IN_A_WORLD(there_are_only_so_many),
	};

	return cmocka_run_group_tests_name("recent games", tests, NULL, NULL);
}
