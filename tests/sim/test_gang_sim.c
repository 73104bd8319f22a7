/*
 * test_gang_sim.c - thousands of games of The Gang, played by seeds.
 *
 * Legal and illegal actions are mixed.  After each one the cards and chips
 * are counted, and a refused one must have changed nothing.  In every state
 * that is reached every action a client can send is tried: what is legal is
 * what the view lists, and what is refused is refused for the first of the
 * reasons that the contract names.  The bytes of a state make the same state
 * again, and the actions of a game with their seeds make the same game again.
 *
 * A failure prints how to play that one game again.  The digest at the end is
 * of all events and last states: every compiler must come to the same.
 *
 *   GANG_SEED   the first game's seed    GANG_GAMES  how many
 */
#include <inttypes.h>
#include <stdio.h>

/* Two of json-c's types are named like functions of base/json_out.h. */
#define json_object json_c_object
#define json_bool   json_c_bool
#include <json-c/json.h>
#undef json_object
#undef json_bool
#include <sodium.h>

#include "sim.h"
#include "view_text.h"

enum {
	GAMES = 20000,
	SEED = 20260131,
	ACTIONS_MAX = 8192, /* of one game */
	EVENTS_IN_GAME_MAX = 8192,
	JSON_MAX = 32 * 1024,
	JSON_EVERY = 97, /* states */
};

/* An action as it would be kept with its first event. */
struct cause {
	struct action action;
	uint8_t seed[CHANCE_SEED_SIZE];
};

struct game {
	uint64_t seed;
	struct sim_random random;
	struct sim_policy policy;
	struct table table;
	struct gang gang;
	unsigned tries; /* actions chosen */
	unsigned cause_count;
	unsigned event_count;
	struct cause causes[ACTIONS_MAX];
	struct event events[EVENTS_IN_GAME_MAX];
};

/* What was met, so that the simulation cannot pass by meeting nothing. */
struct tally {
	uint64_t states;
	uint64_t tried;
	uint64_t refused[ERR_COUNT];
	uint64_t succeeded;
	uint64_t heists[OUTCOME_FAILED + 1];
	uint64_t games[STATUS_COUNT];
	uint64_t players[TABLE_SEATS_MAX + 1];
};

static struct game game;
static struct tally tally;
static crypto_generichash_state digest;

static void check(bool so, const char *what)
{
	if (so)
		return;
	fail_msg("not so: %s\n"
	         "again: GANG_SEED=%" PRIu64 " GANG_GAMES=1, after %u tries, "
	         "version %u",
	         what, game.seed, game.tries, (unsigned)game.table.version);
}

#define CHECK(what) check((what), #what)

/* Of structs too: a refusal writes nothing, not even between members. */
static bool same_bytes(const void *a, const void *b, size_t size)
{
	return memcmp(a, b, size) == 0;
}

/* --- what the contract says of an action ---------------------------------- */

static enum err judge_lobby(const struct table *table,
                            const struct action *action)
{
	bool over = table->status == STATUS_WON || table->status == STATUS_LOST;

	if (action->verb == VERB_JOIN) {
		if (over)
			return ERR_GAME_OVER;
		return table->seats == table->seats_max ? ERR_GAME_FULL
		                                        : ERR_OK;
	}
	if (action->seat != table->host)
		return ERR_NOT_HOST;
	if (table->status != STATUS_LOBBY)
		return ERR_ALREADY_STARTED;
	return table->seats < GANG_PLAYERS_MIN ? ERR_NOT_ALLOWED_NOW : ERR_OK;
}

/* Where a chip that is listed lies; 0 is the centre. */
static unsigned seat_of_chip(const struct gang_view *view,
                             const struct action *action)
{
	unsigned at = 0;

	while (view->chips[at].color != action->args[ARG_COLOR])
		at++;
	return view->chips[at + action->args[ARG_STARS] - 1U].seat;
}

static enum err judge_chip(const struct gang_view *view,
                           const struct action *action)
{
	unsigned round = action->args[ARG_COLOR] + 1U;

	if (view->phase == PHASE_OVER)
		return ERR_HEIST_OVER;
	if (action->args[ARG_STARS] > view->players)
		return ERR_NO_SUCH_CHIP;
	if (round < view->round)
		return ERR_ROUND_OVER;
	if (round > view->round)
		return ERR_NOT_ALLOWED_NOW;

	unsigned seat = seat_of_chip(view, action);
	if (action->verb == VERB_RETURN)
		return seat == action->seat ? ERR_OK : ERR_CHIP_NOT_HELD;
	if (seat == action->seat)
		return ERR_CHIP_ALREADY_HELD;
	if (action->args[ARG_FROM] != CHIP_FROM_ANYWHERE &&
	    action->args[ARG_FROM] != seat)
		return ERR_CHIP_MOVED;
	return ERR_OK;
}

/* Only from what the one who acts may see. */
static enum err judge(const struct table *table, const struct gang_view *view,
                      const struct action *action)
{
	if (action->verb == VERB_JOIN || action->verb == VERB_START)
		return judge_lobby(table, action);
	if (table->status == STATUS_LOBBY)
		return ERR_GAME_NOT_STARTED;
	if (table->status != STATUS_PLAYING)
		return ERR_GAME_OVER;
	if (action->verb == VERB_NEXT_HEIST)
		return view->phase == PHASE_OVER ? ERR_OK
		                                 : ERR_SHOWDOWN_NOT_REACHED;
	return judge_chip(view, action);
}

/* --- every action in every state ------------------------------------------ */

/* A copy of the game to try things on, and what to put back after them. */
struct trial {
	struct gang gang;
	struct table table;
	struct gang_view view;
	const struct action *legal;
	size_t legal_count;
	size_t listed; /* successes that the list has to have */
	struct chance chance;
	struct events events;
};

static void reset_trial(struct trial *trial)
{
	memcpy(&trial->gang, &game.gang, sizeof(game.gang));
	trial->table = game.table;
	trial->table.state = &trial->gang;
	trial->events.count = 0;
}

static bool is_listed(const struct trial *trial, const struct action *action)
{
	for (size_t i = 0; i < trial->legal_count; i++) {
		if (same_bytes(&trial->legal[i], action, sizeof(*action)))
			return true;
	}
	return false;
}

static void try_action(struct trial *trial, const struct action *action)
{
	enum err expected = judge(&game.table, &trial->view, action);
	enum err err = table_act(&trial->table, action, &trial->chance,
	                         &trial->events);

	if (err != expected)
		print_error("seat %u, verb %u, %u %u %u: %s and not %s\n",
		            action->seat, action->verb, action->args[0],
		            action->args[1], action->args[2], err_code(err),
		            err_code(expected));
	CHECK(err == expected);
	tally.refused[err]++;
	if (err) {
		CHECK(trial->events.count == 0);
		return;
	}
	CHECK(trial->events.count > 0);
	CHECK(trial->table.version == game.table.version + trial->events.count);
	if (action->verb >= VERB_OF_RULESET &&
	    (action->verb != VERB_TAKE ||
	     action->args[ARG_FROM] == CHIP_FROM_ANYWHERE)) {
		CHECK(is_listed(trial, action));
		trial->listed++;
	}
	reset_trial(trial);
}

static void check_untouched(const struct trial *trial)
{
	CHECK(same_bytes(&trial->gang, &game.gang, sizeof(game.gang)));
	CHECK(trial->table.version == game.table.version);
	CHECK(trial->table.status == game.table.status);
	CHECK(trial->table.seats == game.table.seats);
	CHECK(trial->table.seats_max == game.table.seats_max);
	CHECK(trial->table.host == game.table.host);
}

static void try_chip(struct trial *trial, struct action action)
{
	action.verb = VERB_RETURN;
	try_action(trial, &action);
	action.verb = VERB_TAKE;
	for (unsigned from = 0; from <= game.table.seats; from++) {
		action.args[ARG_FROM] = (uint8_t)from;
		try_action(trial, &action);
	}
	action.args[ARG_FROM] = CHIP_FROM_ANYWHERE;
	try_action(trial, &action);
}

static void try_chips(struct trial *trial, unsigned seat)
{
	for (unsigned color = 0; color < COLOR_COUNT; color++) {
		for (unsigned stars = 1; stars <= CHIPS_MAX; stars++)
			try_chip(trial, (struct action){
						.seat = (uint8_t)seat,
						.args = { (uint8_t)color,
			                                  (uint8_t)stars },
					});
		/* Refusals are looked at together, and soon enough. */
		check_untouched(trial);
	}
}

/* All that a seat can send; exactly what its view lists succeeds. */
static void try_seat(struct trial *trial, unsigned seat)
{
	static const uint8_t verbs[] = { VERB_JOIN, VERB_START,
		                         VERB_NEXT_HEIST };

	game.table.rules->view(&game.gang, seat, &trial->view);
	trial->legal =
		game.table.rules->legal(&trial->view, &trial->legal_count);
	trial->listed = 0;
	for (size_t i = 0; i < ARRAY_LEN(verbs); i++) {
		struct action action = { .verb = verbs[i],
			                 .seat = (uint8_t)seat };
		try_action(trial, &action);
		check_untouched(trial);
	}
	try_chips(trial, seat);
	CHECK(trial->listed == trial->legal_count);
}

static void try_everything(void)
{
	static struct trial trial;
	static const uint8_t seed[CHANCE_SEED_SIZE];

	chance_init(&trial.chance, seed);
	reset_trial(&trial);
	for (unsigned seat = 1; seat <= game.table.seats; seat++)
		try_seat(&trial, seat);
}

/* --- what holds in every state -------------------------------------------- */

static unsigned count_cards(const uint8_t *cards, unsigned count, uint64_t *set)
{
	for (unsigned i = 0; i < count; i++) {
		CHECK(cards[i] < CARD_DECK_COUNT);
		*set |= UINT64_C(1) << cards[i];
	}
	return count;
}

static void check_cards(void)
{
	const struct heist *heist = &game.gang.heist;
	unsigned count = 0;
	uint64_t set = 0;

	for (unsigned i = 0; i < heist->players; i++) {
		CHECK(heist->pockets[i].count == 2);
		count += count_cards(heist->pockets[i].cards, 2, &set);
	}
	count += count_cards(heist->community, heist->community_count, &set);
	count += count_cards(heist->deck, heist->deck_count, &set);
	count += count_cards(heist->discards, heist->discards_count, &set);
	CHECK(count == CARD_DECK_COUNT);
	CHECK(set == (UINT64_C(1) << CARD_DECK_COUNT) - 1);
}

/* As the last action left them: colours that ended are with their owners. */
static void check_chips(void)
{
	const struct heist *heist = &game.gang.heist;

	for (unsigned color = 0; color < COLOR_COUNT; color++) {
		const struct chips *chips = &heist->chips[color];
		bool ended = color + 1 < heist->round ||
		             heist->outcome != OUTCOME_OPEN;
		unsigned held = 0;
		unsigned seats = 0;

		CHECK(chips->count ==
		      (color < heist->round ? heist->players : 0));
		for (unsigned stars = 1; stars <= chips->count; stars++) {
			unsigned seat = chips_holder(chips, stars);
			CHECK(seat <= heist->players);
			CHECK(!seat || !(seats >> seat & 1));
			seats |= 1U << seat;
			held += seat != CHIPS_CENTER;
		}
		if (chips->count)
			CHECK((held == heist->players) == ended);
	}
}

/* The bytes of the state are a state with the same bytes and views. */
static void check_codec(void)
{
	const struct ruleset *rules = game.table.rules;
	static struct gang read;
	uint8_t bytes[RULESET_STATE_MAX];
	uint8_t again[RULESET_STATE_MAX];
	size_t len = rules->encode(&game.gang, bytes);

	memset(&read, 0xa5, sizeof(read));
	CHECK(len > 0 && len <= RULESET_STATE_MAX);
	CHECK(rules->decode(&read, bytes, len));
	CHECK(rules->encode(&read, again) == len);
	CHECK(same_bytes(bytes, again, len));
	CHECK(rules->status(&read) == game.table.status);

	/* Go on with what was read: the replay tells if something is gone. */
	memcpy(&game.gang, &read, sizeof(read));
}

static void check_json_of(const struct gang_view *view, char *text)
{
	struct json_tokener *tokener = json_tokener_new();
	int len = (int)view_text(view, text, JSON_MAX);

	CHECK(len > 0);
	json_tokener_set_flags(tokener, JSON_TOKENER_STRICT);
	struct json_c_object *json = json_tokener_parse_ex(tokener, text, len);
	CHECK(json && json_object_is_type(json, json_type_object));
	CHECK(json_tokener_get_parse_end(tokener) == (size_t)len);
	json_object_put(json);
	json_tokener_free(tokener);
}

static void check_json(void)
{
	static struct gang_view view;
	static char text[JSON_MAX];

	for (unsigned seat = 0; seat <= game.table.seats; seat++) {
		game.table.rules->view(&game.gang, seat, &view);
		check_json_of(&view, text);
	}
}

static void check_state(void)
{
	CHECK(game.table.version == game.event_count);
	CHECK(game.table.status == game.table.rules->status(&game.gang));
	CHECK(game.gang.heist.number <= 5);
	if (game.table.status != STATUS_LOBBY) {
		check_cards();
		check_chips();
	}
	check_codec();
	try_everything();
	if (++tally.states % JSON_EVERY == 0)
		check_json();
}

/* --- a game --------------------------------------------------------------- */

static void keep_events(const struct events *events)
{
	CHECK(game.event_count + events->count <= EVENTS_IN_GAME_MAX);
	for (unsigned i = 0; i < events->count; i++) {
		game.events[game.event_count++] = events->list[i];
		if (events->list[i].type == EVENT_HEIST_ENDED)
			tally.heists[events->list[i].open[0]]++;
	}
}

static void take_step(void)
{
	static struct gang before;
	static struct events events;
	struct cause cause;
	struct chance chance;
	struct table table_before = game.table;

	cause.action = sim_choose(&game.table, &game.policy, &game.random);
	sim_seed(&game.random, cause.seed);
	chance_init(&chance, cause.seed);
	memcpy(&before, &game.gang, sizeof(before));
	events.count = 0;
	game.tries++;
	tally.tried++;

	enum err err = table_act(&game.table, &cause.action, &chance, &events);
	if (err) {
		CHECK(events.count == 0);
		CHECK(!chance.used);
		CHECK(same_bytes(&before, &game.gang, sizeof(before)));
		CHECK(same_bytes(&table_before, &game.table,
		                 sizeof(table_before)));
		return;
	}
	CHECK(game.cause_count < ACTIONS_MAX);
	CHECK(game.table.version == table_before.version + events.count);
	game.causes[game.cause_count++] = cause;
	tally.succeeded++;
	keep_events(&events);
	check_state();
}

/* The kept actions, from the start, give the same events and last state. */
static void check_replay(void)
{
	static struct gang gang;
	static struct events events;
	uint8_t bytes[RULESET_STATE_MAX];
	uint8_t again[RULESET_STATE_MAX];
	struct table table;
	struct chance chance;
	unsigned at = 0;

	sim_open(&table, &gang);
	for (unsigned i = 0; i < game.cause_count; i++) {
		events.count = 0;
		chance_init(&chance, game.causes[i].seed);
		CHECK(!table_act(&table, &game.causes[i].action, &chance,
		                 &events));
		CHECK(at + events.count <= game.event_count);
		CHECK(same_bytes(events.list, &game.events[at],
		                 events.count * sizeof(struct event)));
		at += events.count;
	}
	size_t len = table.rules->encode(&game.gang, bytes);
	CHECK(at == game.event_count);
	CHECK(table.version == game.table.version);
	CHECK(table.status == game.table.status);
	CHECK(table.rules->encode(&gang, again) == len);
	CHECK(same_bytes(bytes, again, len));
	crypto_generichash_update(&digest, bytes, len);
	crypto_generichash_update(&digest, (const uint8_t *)game.events,
	                          at * sizeof(struct event));
}

static void play_game(uint64_t seed)
{
	game.seed = seed;
	game.random = (struct sim_random){ seed };
	game.policy = sim_policy(&game.random);
	game.tries = game.cause_count = game.event_count = 0;
	sim_open(&game.table, &game.gang);
	while (game.table.status == STATUS_LOBBY ||
	       game.table.status == STATUS_PLAYING)
		take_step();

	CHECK((game.gang.gold == 3) == (game.table.status == STATUS_WON));
	CHECK((game.gang.red == 3) == (game.table.status == STATUS_LOST));
	CHECK(game.gang.gold + game.gang.red == game.gang.heist.number);
	tally.games[game.table.status]++;
	tally.players[game.table.seats]++;
	check_replay();
}

/* --- the whole ------------------------------------------------------------ */

static void print_tally(void)
{
	uint8_t hash[16];
	char hex[2 * sizeof(hash) + 1];

	crypto_generichash_final(&digest, hash, sizeof(hash));
	print_message("games: %" PRIu64 " won, %" PRIu64
	              " lost; heists: %" PRIu64 " succeeded, %" PRIu64
	              " failed\n",
	              tally.games[STATUS_WON], tally.games[STATUS_LOST],
	              tally.heists[OUTCOME_SUCCEEDED],
	              tally.heists[OUTCOME_FAILED]);
	print_message("actions: %" PRIu64 " chosen, %" PRIu64
	              " done; states: %" PRIu64 "\n",
	              tally.tried, tally.succeeded, tally.states);
	for (unsigned err = 0; err < ERR_COUNT; err++) {
		if (tally.refused[err])
			print_message("%14" PRIu64 " tried: %s\n",
			              tally.refused[err],
			              err_code((enum err)err));
	}
	print_message("digest: %s\n",
	              sodium_bin2hex(hex, sizeof(hex), hash, sizeof(hash)));
}

static void test_games(void **state)
{
	uint64_t seed = sim_setting("GANG_SEED", SEED);
	uint64_t games = sim_setting("GANG_GAMES", GAMES);

	(void)state;
	assert_int_not_equal(sodium_init(), -1);
	crypto_generichash_init(&digest, NULL, 0, 16);
	for (uint64_t i = 0; i < games; i++)
		play_game(seed + i);
	print_tally();
	if (games < 1000)
		return;
	/* Nothing was proved if hardly anything was met. */
	assert_in_range(tally.games[STATUS_WON], games / 10, games);
	assert_in_range(tally.games[STATUS_LOST], games / 10, games);
	assert_in_range(tally.heists[OUTCOME_SUCCEEDED], games, 3 * games);
	assert_in_range(tally.heists[OUTCOME_FAILED], games, 3 * games);
	for (unsigned seats = GANG_PLAYERS_MIN; seats <= GANG_PLAYERS_MAX;
	     seats++)
		assert_in_range(tally.players[seats], games / 20, games);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_games) };

	return cmocka_run_group_tests_name("gang, simulation", tests, NULL,
	                                   NULL);
}
