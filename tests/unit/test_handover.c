/*
 * test_handover.c - which moves are handed over, what is copied, and for how
 * long it is found.
 */
#include "loop/handover.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/clock.h"

enum { EVENTS = 3 };

static const struct uuid game_id = { { 1, 2, 3 } };
static const uint8_t hash[STORE_HASH_SIZE] = { 9 };

/* A move to a version by some events; its parts are overwritten by the next. */
static struct handover *make(uint32_t version, size_t events_count)
{
	static char state[] = "state";
	static char name[] = "Ada";
	static uint8_t data[] = { 7 };
	static struct store_game game;
	static struct store_event events[EVENTS];
	struct store_move move = { .game = &game,
		                   .events = events,
		                   .events_count = events_count };
	struct committed committed = { .game = game_id,
		                       .version = version,
		                       .move = &move,
		                       .at_us = 1000 + version };
	struct handover *handover;

	strcpy(name, "Ada");
	game = (struct store_game){
		.id = game_id,
		.version = version,
		.status = "playing",
		.state = (const uint8_t *)state,
		.state_len = strlen(state),
		.seats_count = 1,
		.seats[0] = { .name = name, .is_stale = true },
		.key.hash = hash,
	};
	for (size_t i = 0; i < events_count; i++)
		events[i] = (struct store_event){
			.version = version - (uint32_t)(events_count - 1 - i),
			.private_data = data,
			.private_len = sizeof(data),
			.replay_data = data,
			.replay_len = sizeof(data),
		};
	handover = handover_make(&committed);
	strcpy(name, "...");
	return handover;
}

struct world {
	struct handovers handovers;
	struct arena arena;
};

static int set_up(void **state)
{
	static struct world world;

	handovers_init(&world.handovers);
	arena_init(&world.arena);
	*state = &world;
	return 0;
}

static int tear_down(void **state)
{
	struct world *world = *state;

	handovers_fini(&world->handovers);
	arena_fini(&world->arena);
	return 0;
}

/* How many events the page has, which are in order then. */
static size_t page(struct world *world, uint32_t after, uint32_t up_to,
                   unsigned limit)
{
	const struct store_page wanted = { .after = after,
		                           .up_to = up_to,
		                           .limit = limit };
	const struct store_event *events;
	size_t count = handovers_events(&world->handovers, game_id, wanted,
	                                &world->arena, &events);

	for (size_t i = 0; i < count; i++) {
		assert_int_equal(events[i].version, after + 1 + i);
		assert_int_equal(events[i].private_data[0], 7);
		assert_null(events[i].replay_data);
	}
	return count;
}

static const struct store_game *find(struct world *world, uint32_t version)
{
	return handovers_game(&world->handovers, game_id, version,
	                      &world->arena);
}

/* The key, and who is stale, belong to the request that had loaded the row. */
static void a_game_is_copied_without_what_is_its_loaders(void **state)
{
	struct world *world = *state;

	handovers_add(&world->handovers, make(5, 1));
	const struct store_game *game = find(world, 5);
	assert_non_null(game);
	assert_string_equal(game->seats[0].name, "Ada");
	assert_false(game->seats[0].is_stale);
	assert_null(game->key.hash);
	assert_int_equal(game->updated_us, 1005);
	assert_memory_equal(game->state, "state", game->state_len);
}

static void only_the_very_version_is_found(void **state)
{
	struct world *world = *state;

	handovers_add(&world->handovers, make(5, 1));
	assert_null(find(world, 4));
	assert_null(find(world, 6));
	assert_null(handovers_game(&world->handovers, (struct uuid){ { 1 } }, 5,
	                           &world->arena));
}

static void a_page_may_be_of_several_moves(void **state)
{
	struct world *world = *state;

	handovers_add(&world->handovers, make(5, 1));
	handovers_add(&world->handovers, make(8, 3));
	assert_int_equal(page(world, 7, 8, 10), 1);
	assert_int_equal(page(world, 5, 8, 10), 3);
	assert_int_equal(page(world, 4, 8, 10), 4);
	assert_int_equal(page(world, 4, 5, 10), 1);
	/* A part is missing, there is too much, or there is nothing. */
	assert_int_equal(page(world, 3, 8, 10), 0);
	assert_int_equal(page(world, 5, 7, 10), 0);
	assert_int_equal(page(world, 4, 8, 3), 0);
	assert_int_equal(page(world, 8, 8, 10), 0);
	assert_int_equal(page(world, INT32_MAX, 8, 10), 0);
}

static void what_is_old_is_not_found(void **state)
{
	const struct timespec pause = { .tv_nsec = 110000000 };
	struct world *world = *state;

	handovers_add(&world->handovers, make(5, 1));
	(void)nanosleep(&pause, NULL);
	assert_null(find(world, 5));
	assert_int_equal(page(world, 4, 5, 10), 0);
	handovers_add(&world->handovers, make(6, 1));
	handovers_forget(&world->handovers);
	assert_non_null(find(world, 6));
	assert_true(TAILQ_FIRST(&world->handovers.all) ==
	            TAILQ_LAST(&world->handovers.all, handover_list));
}

static void a_change_of_seats_is_not_handed_over(void **state)
{
	static struct call call;
	static struct ended ended;
	struct store_move *move = &call.decided.move;

	(void)state;
	assert_ptr_equal(handover_committed(&call, 1).move, move);
	move->leave.seat = 1;
	assert_null(handover_committed(&call, 1).move);
	*move = (struct store_move){ .join.seat = 1 };
	assert_null(handover_committed(&call, 1).move);
	*move = (struct store_move){ .bots_count = 1 };
	assert_null(handover_committed(&call, 1).move);
	*move = (struct store_move){ .change.seat = 1 };
	assert_null(handover_committed(&call, 1).move);
	*move = (struct store_move){ .renewal.seat = 1 };
	assert_null(handover_committed(&call, 1).move);
	*move = (struct store_move){ .events_count = 1 };
	call.decided.ended = &ended;
	assert_null(handover_committed(&call, 1).move);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_game_is_copied_without_what_is_its_loaders),
		TEST(only_the_very_version_is_found),
		TEST(a_page_may_be_of_several_moves),
		TEST(what_is_old_is_not_found),
		TEST(a_change_of_seats_is_not_handed_over),
	};

	return cmocka_run_group_tests_name("handover", tests, NULL, NULL);
}
