/*
 * test_told_twins.c - notifications of players and the webhook reveal no card.
 *
 * A game and its twin (sim/gang_twin.h), which differ in all that one viewer
 * may not see, go on by the same moves; with no viewer all hidden cards differ.
 * The service decides each move in both; every seat asks for notifications.
 * The rows of gangd.notification that follow (which seats, in which order,
 * what, and which rows are deleted), and the bytes that Web Push and the
 * webhook are sent, are the same until the rules open what differs.  The time
 * is that of the commit, and how long a message is follows from its bytes
 * (WEB_PUSH_EXTRA).
 *
 * The statements that write the rows get nothing of a state but its notices
 * (notify.h).
 *
 *   GANG_SEED   the first game's seed    GANG_GAMES  how many moves
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../sim/gang_twin.h"
#include "base/macros.h"
#include "push/endpoint.h"
#include "push/message.h"
#include "games/gang/gang_game.h"
#include "push/push_code.h"
#include "service/rulesets.h"
#include "service/decide.h"

enum {
	SEED = 20260131,
	MOVES = 20000,
	GO_ON_MAX = 40, /* moves after the twin was made */
	TEXT_SIZE = 16 * 1024,
};

static uint64_t game_seed;
static struct scene original;
static struct scene twin;
static struct arena arena;

/* How many moves were compared, and how many notified somebody, by code. */
static unsigned moves;
static unsigned told_moves;
static unsigned told_codes[PUSH_CODE_REMATCH + 1];
static unsigned planted; /* differences that should be there */

/* --- notifications -------------------------------------------------------- */

/* A text that grows. */
struct text {
	size_t len;
	char bytes[TEXT_SIZE];
};

static void add(struct text *text, const char *what, const char *bytes)
{
	int len = snprintf(text->bytes + text->len, TEXT_SIZE - text->len,
	                   "%s %s\n", what, bytes);

	assert_in_range(len, 1, TEXT_SIZE - text->len - 1);
	text->len += (size_t)len;
}

/* Both messages of a row, as gangd-push prints them. */
static void add_messages(struct text *text, const struct scene *scene,
                         unsigned seat, unsigned code)
{
	static const uint8_t hash[ENDPOINT_HASH_SIZE] = { 1, 2, 3 };
	char target[ENDPOINT_ID_SIZE] = "";
	char bytes[MESSAGE_SIZE] = "";
	char topic[MESSAGE_TOPIC_SIZE];
	struct message message = {
		.game = { { 1 } },
		.version = scene->table.version,
		.seat = seat,
		.code = code,
		.code_text = rulesets_push_code(code),
		.target = target,
		.reference = "account 7",
	};

	size_t len = message_print_webhook(&message, bytes);
	bytes[len] = '\0';
	add(text, "webhook", bytes);
	endpoint_id(hash, target);
	len = message_print_push(&message, bytes);
	bytes[len] = '\0';
	add(text, "web push", bytes);
	message_topic(&message, topic);
	add(text, "topic", topic);
	add(text, "urgency", push_code_waits(code) ? "high" : "normal");
}

/* Decide a move in a copy of the scene, and note its notifications. */
static struct store_notices decide(const struct scene *scene,
                                   const struct action *action,
                                   const uint8_t seed[RNG_SEED_SIZE],
                                   struct text *text)
{
	static const struct service_config config = { .push_key = "" };
	static struct scene copy;
	struct http_request req = { .arena = arena };
	struct store_game loaded = {
		.status = status_code(scene->table.status),
		.push_seats = 0x7e,
	};
	struct call call = { .config = &config, .req = &req };

	scene_copy(&copy, scene);
	call.game.table = copy.table;
	call.game.loaded = &loaded;
	call.caller.seat = action->seat;
	call.wanted.action = *action;
	text->len = 0;
	text->bytes[0] = '\0';
	enum err err = decide_move(&call, seed);
	add(text, "decided", err_code(err));
	const struct store_notices *told = &call.decided.move.notices;
	for (unsigned i = 0; i < told->count; i++)
		add_messages(text, &copy, told->seats[i], told->codes[i]);
	for (unsigned i = 0; i < told->done_count; i++)
		add(text, "done",
		    (char[]){ (char)('0' + told->done[i]), '\0' });
	arena = req.arena;
	arena_reset(&arena);
	return *told;
}

/* --- pairs ---------------------------------------------------------------- */

static void tally(const struct store_notices *told, unsigned viewer)
{
	unsigned seat = viewer == 1 ? 2 : 1;
	const struct pocket *one = &original.gang.heist.pockets[seat - 1];
	const struct pocket *other = &twin.gang.heist.pockets[seat - 1];

	moves++;
	told_moves += told->count > 0;
	for (unsigned i = 0; i < told->count; i++)
		told_codes[told->codes[i]]++;
	/* As if the owner of a high card got another notification. */
	planted += told->count > 0 &&
	           (one->cards[0] > 25) != (other->cards[0] > 25);
}

/* Do the same in both; false once they may differ. */
static bool act_both(unsigned viewer, const struct action *action,
                     const uint8_t seed[RNG_SEED_SIZE])
{
	static struct text texts[2];
	struct action same = twin_action(&twin, &original, viewer, *action);
	bool is_compared = action->verb >= VERB_OF_RULESET;
	struct store_notices told = { .count = 0 };

	if (is_compared) {
		told = decide(&original, action, seed, &texts[0]);
		(void)decide(&twin, &same, seed, &texts[1]);
	}
	enum err err = scene_act(&original, action, seed);
	if (scene_act(&twin, &same, seed) != err)
		fail_msg("seed %" PRIu64 ": another refusal", game_seed);
	if (twins_are_opened(&original, &twin, viewer))
		return false;
	if (!is_compared)
		return true;
	tally(&told, viewer);
	if (strcmp(texts[0].bytes, texts[1].bytes) != 0)
		fail_msg("seed %" PRIu64
		         ": without the cards of seat %u they differ:\n%s\n"
		         "--- or\n%s",
		         game_seed, viewer, texts[0].bytes, texts[1].bytes);
	return true;
}

static void go_on(const struct scene *game, unsigned viewer,
                  const struct player_policy *policy, struct sim_random *random)
{
	uint8_t seed[RNG_SEED_SIZE];

	scene_copy(&original, game);
	if (!twin_make(&twin, &original, viewer, random))
		return;
	for (unsigned i = 0; i < GO_ON_MAX; i++) {
		struct action action =
			player_choose(&original.table, policy, random);

		sim_seed(random, seed);
		if (!act_both(viewer, &action, seed) ||
		    original.table.status != STATUS_PLAYING)
			return;
	}
}

static void play_game(uint64_t seed)
{
	static struct scene game;
	struct sim_random random = { seed };
	struct player_policy policy = player_policy(&random);
	uint8_t rng[RNG_SEED_SIZE];

	game_seed = seed;
	game.events.count = 0;
	policy.eager = 20;
	player_open_table(&game.table, &game.gang);
	while (!status_is_over(game.table.status)) {
		struct action action =
			player_choose(&game.table, &policy, &random);

		sim_seed(&random, rng);
		if (scene_act(&game, &action, rng) ||
		    game.table.status != STATUS_PLAYING ||
		    game.gang.heist.outcome == OUTCOME_ABANDONED ||
		    !sim_percent(&random, 5))
			continue;
		/* Half of them without a viewer: all that is hidden. */
		unsigned viewer =
			sim_percent(&random, 50)
				? 0
				: sim_below(&random, game.table.seats + 1U);
		go_on(&game, viewer, &policy, &random);
	}
}

static void twins_are_told_the_same(void **state)
{
	uint64_t seed = sim_setting("GANG_SEED", SEED);
	unsigned wanted = (unsigned)sim_games(MOVES);

	(void)state;
	arena_init(&arena);
	while (moves < wanted)
		play_game(seed++);
	arena_fini(&arena);
	print_message("%u moves, of %u of them somebody is told; a leak would "
	              "be seen in %u\n",
	              moves, told_moves, planted);
	if (wanted < MOVES)
		return;
	assert_in_range(told_moves, moves / 50, moves);
	assert_in_range(planted, told_moves / 10, told_moves);
	assert_true(told_codes[PUSH_CODE_YOUR_TURN] > 100);
	assert_true(told_codes[PUSH_CODE_HEIST_STARTED] > 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(twins_are_told_the_same),
	};

	return cmocka_run_group_tests_name("told, secrecy", tests, NULL, NULL);
}
