/*
 * test_famiglia_sim.c - thousands of games of Famiglia, played by seeds.
 *
 * Legal and illegal actions are mixed.  The contract says beforehand what each
 * comes to (famiglia_expected_error.h).  After each action
 *
 *   a refused one has changed nothing, and was refused for the right reason;
 *   the state is that of the reference model (famiglia_reference_model.h),
 *   which follows the events: each card is in one place, and nothing happens
 *   but what has to;
 *   the bytes of the state decode to the same state.
 *
 * In some states all that can be seen is read as JSON and compared with the
 * model, and whatever a client can send is tried: the legal actions allow
 * exactly what succeeds (famiglia_json.h).  The actions of a game with their
 * seeds make the same game again.  Some games begin late, with the cards laid
 * so that they soon reach what random play hardly reaches.
 *
 * A failure prints how to play that one game again.  The digest at the end is
 * of all events and last states: every compiler must come to the same.
 *
 *   GANG_SEED   the first game's seed    GANG_GAMES  how many
 */
#include <inttypes.h>

#include <sodium.h>

#include "famiglia_expected_error.h"
#include "famiglia_json.h"
#include "famiglia_reachable.h"

enum {
	GAMES = 4000,
	SEED = 20260131,
	ACTIONS_MAX = 1024, /* of one game, that succeed */
	TRIES_MAX = 8192,   /* of one game */
	JSON_MAX = 32 * 1024,
	JSON_EVERY = 61,       /* states */
	SAMPLES = 40,          /* tried in such a state */
	EVERYTHING_EVERY = 97, /* of those: everything is tried */
	LATE_PERCENT = 25,
	AGAIN_PERCENT = 50,
	TURNS_MAX = 107,
};

struct cause {
	struct action action;
	uint8_t seed[RNG_SEED_SIZE];
};

struct game {
	struct sim_random random;
	struct fam_policy policy;
	struct table table;
	struct famiglia famiglia;
	struct fam_model model;
	bool is_late;     /* the cards were laid anew when it had begun */
	unsigned late_at; /* after this many causes */
	struct famiglia late;
	unsigned cause_count;
	unsigned event_count;
	struct cause causes[ACTIONS_MAX];
	struct event events[ACTIONS_MAX + 2];
};

/* Counts of what was met: a simulation that meets nothing must fail. */
struct tally {
	uint64_t states;
	uint64_t tried;
	uint64_t succeeded;
	uint64_t sampled;
	uint64_t allowed; /* of those */
	uint64_t refused[ERR_COUNT];
	uint64_t verbs[VERB_PASS + 1]; /* that succeeded */
	uint64_t endings[4];
	uint64_t decided[3];
	uint64_t winners[3];
	uint64_t again;
	uint64_t turned_exactly;
	uint64_t turned_in_lay;
	uint64_t turned_in_refill;
	uint64_t came_back;
	uint64_t ended_unturned;
	uint64_t refilled_after;
	uint64_t whole_round;
	uint64_t brute_to_zero;
	uint64_t stand_in;
	uint64_t stand_in_kept;
	uint64_t stand_in_for_own;
	uint64_t empty_street;
	unsigned turns_max;
	size_t legal_max;
	size_t event_max; /* bytes of JSON */
	size_t view_max;
};

static struct game game;
static struct tally tally;
static crypto_generichash_state digest;

/* --- whatever can be tried in one state ----------------------------------- */

static void try_action(const struct entries entries[3],
                       const struct action *action)
{
	enum err expected = famiglia_expected_error(&game.model, action);
	enum err err = famiglia_check(&game.famiglia, action);
	bool is_seat = action->seat == 1 || action->seat == 2;

	if (err != expected)
		print_error("verb %u by %u, %u %u %u %u: %s and not %s\n",
		            action->verb, action->seat, action->args[0],
		            action->args[1], action->args[2], action->args[3],
		            err_code(err), err_code(expected));
	CHECK(err == expected);
	CHECK((err == ERR_INVALID) ==
	              (is_seat && !famiglia_body_is_valid(action)) ||
	      err == ERR_NO_SUCH_SEAT);
	CHECK(!famiglia_fault(NULL, action).member ==
	      famiglia_body_is_valid(action));
	CHECK((is_seat && entries_allow(&entries[action->seat], action)) ==
	      !err);
	tally.refused[err]++;
	tally.sampled++;
	tally.allowed += !err;
}

/* It is carried out on a copy, and stays a game. */
static void carry_out(const struct action *action)
{
	struct famiglia copy = game.famiglia;
	struct events events = { .count = 0 };
	struct rng rng = { .at = sizeof(rng.stream) };

	CHECK(!famiglia_apply(&copy, action, &rng, &events));
	CHECK(events.count == 1 && famiglia_reachable(&copy));
}

static void try_everything(const struct entries entries[3])
{
	struct action action = fam_act(&game.famiglia, VERB_REFILL);
	uint8_t *args = action.args;

	for (args[0] = 1; args[0] <= CARDS; args[0]++)
		try_action(entries, &action);
	action.verb = VERB_THREATEN;
	for (args[0] = 1; args[0] <= CARDS; args[0]++) {
		for (unsigned i = 0; i < 4 * CARDS; i++) {
			args[1] = (uint8_t)(1 + i / 4);
			args[2] = (uint8_t)(1 + i % 4);
			try_action(entries, &action);
		}
	}
	action.verb = VERB_TAKE;
	for (unsigned i = 0; i < game.famiglia.street.count; i++) {
		args[0] = game.famiglia.street.gangsters[i];
		for (unsigned j = 0; j < CARDS * CARDS; j++) {
			args[1] = (uint8_t)(1 + j / CARDS);
			args[2] = (uint8_t)(1 + j % CARDS);
			args[3] = args[1 + j % 2];
			try_action(entries, &action);
		}
	}
}

/* A body that an element allows, with what is left to choose drawn. */
static struct action expand(const struct entry *entry, unsigned seat,
                            struct sim_random *random)
{
	struct action action = { .verb = (uint8_t)entry->verb,
		                 .seat = (uint8_t)seat,
		                 .args = { (uint8_t)entry->card } };
	uint8_t *args = action.args;

	if (entry->verb == VERB_SWAP) {
		fam_some_of(entry->give, entry->count, args + 1, random);
		fam_some_of(entry->take, entry->count, args + 5, random);
	} else if (entry->verb == VERB_THREATEN) {
		args[1] = (uint8_t)fam_one_of(entry->targets, random);
		args[2] = (uint8_t)(1 + sim_below(random, entry->by_max));
	} else if (entry->keep) {
		unsigned at = sim_below(random, 2);

		args[1 + at] = (uint8_t)entry->keep;
		args[2 - at] = (uint8_t)fam_one_of(entry->others, random);
		args[3] = (uint8_t)entry->keep;
	}
	return action;
}

static void try_some(const struct entries entries[3], struct sim_random *random)
{
	for (unsigned seat = 1; seat <= 2; seat++) {
		for (size_t i = 0; i < entries[seat].count; i++) {
			struct action action =
				expand(&entries[seat].list[i], seat, random);

			CHECK(entries_allow(&entries[seat], &action));
			try_action(entries, &action);
			carry_out(&action);
		}
	}
	for (unsigned i = 0; i < SAMPLES; i++) {
		struct action action =
			i % 2 ? fam_nonsense(&game.famiglia, random)
			      : fam_near(&game.famiglia, random);

		try_action(entries, &action);
	}
}

/* --- what is shown of one state ------------------------------------------- */

static void print_view(unsigned seat, char *text)
{
	static struct famiglia_view view;
	struct json_out out;

	famiglia_ruleset.view(&game.famiglia, seat, &view);
	json_out_init(&out, text, JSON_MAX - 1);
	json_object(&out);
	famiglia_ruleset.print_view(&view, &out);
	if (seat)
		famiglia_ruleset.print_you(&view, &out);
	json_key(&out, "legal");
	json_array(&out);
	famiglia_ruleset.print_legal(&view, FAM_JSON_PATH, &out);
	json_array_end(&out);
	json_object_end(&out);
	CHECK(json_out_fits(&out));
	text[json_out_len(&out)] = '\0';
	if (json_out_len(&out) > tally.view_max)
		tally.view_max = json_out_len(&out);
}

static unsigned points_of(unsigned seat)
{
	unsigned points = 0;

	for (unsigned i = 1; i <= CARDS; i++) {
		if (game.model.place[i] == seat ||
		    game.model.place[i] == seat + 2)
			points += fam_printed[i].points;
	}
	return points;
}

static void check_view(unsigned seat, struct entries *entries)
{
	static char text[JSON_MAX];
	struct json_c_object *json;

	print_view(seat, text);
	json = json_tokener_parse(text);
	CHECK(json);
	fam_json_expect_table(json_member(json, "table"), &game.model);
	if (seat) {
		fam_json_expect_cards(json_member(json, "hand"), &game.model,
		                      seat);
		CHECK(json_number(json_member(json, "points")) ==
		      points_of(seat));
	}
	entries->seat = seat;
	entries_read(entries, json_member(json, "legal"));
	CHECK(seat == 0 ? entries->count == 0
	                : (entries->count == 0) ==
	                          (game.model.is_over ||
	                           fam_model_mover(&game.model) != seat ||
	                           game.model.vacant >> seat & 1));
	if (entries->count > tally.legal_max)
		tally.legal_max = entries->count;
	json_object_put(json);
}

static void check_shown(void)
{
	static struct entries entries[3];
	struct sim_random random = { tally.states };

	for (unsigned seat = 0; seat <= 2; seat++)
		check_view(seat, &entries[seat]);
	try_some(entries, &random);
	if (tally.states / JSON_EVERY % EVERYTHING_EVERY == 0)
		try_everything(entries);
}

static void check_state(void)
{
	uint8_t bytes[RULESET_STATE_MAX];
	uint8_t again[RULESET_STATE_MAX];
	struct famiglia read;
	size_t len = famiglia_encode(&game.famiglia, bytes);

	CHECK(famiglia_reachable(&game.famiglia));
	CHECK(len > 0 && famiglia_decode(&read, bytes, len));
	CHECK(famiglia_encode(&read, again) == len);
	CHECK(same_bytes(bytes, again, len));
	fam_model_check(&game.model, &game.famiglia);
	fam_model_check(&game.model, &read);
	if (game.model.has_begun && tally.states++ % JSON_EVERY == 0)
		check_shown();
}

/* --- a game --------------------------------------------------------------- */

static enum err table_error(const struct action *action)
{
	const struct fam_model *model = &game.model;

	if (action->verb >= VERB_OF_RULESET)
		return famiglia_expected_error(model, action);
	if (!model->has_begun || action->verb == VERB_START_REMATCH)
		return ERR_OK;
	if (action->verb == VERB_LEAVE && action->seat != action->args[0])
		return action->args[1] &&
		                       action->args[0] == fam_model_mover(model)
		               ? ERR_OK
		               : ERR_NOT_ALLOWED_NOW;
	if (action->verb == VERB_LEAVE)
		return ERR_OK;
	CHECK(action->verb == VERB_JOIN);
	return ERR_GAME_FULL;
}

/* The event that says how a game ends is the longest. */
static void measure_event(const struct event *event)
{
	char text[JSON_MAX];
	struct json_out out;

	json_out_init(&out, text, sizeof(text));
	json_object(&out);
	ruleset_print_event(&famiglia_ruleset, event, 0, &out);
	json_object_end(&out);
	if (json_out_len(&out) > tally.event_max)
		tally.event_max = json_out_len(&out);
}

static void note_events(const struct events *events, unsigned starter)
{
	CHECK(game.event_count + events->count <= ACTIONS_MAX);
	for (unsigned i = 0; i < events->count; i++) {
		game.events[game.event_count++] = events->list[i];
		fam_model_apply(&game.model, &events->list[i], starter);
		if (game.model.is_over)
			measure_event(&events->list[i]);
	}
}

static void do_action(const struct cause *cause, unsigned starter)
{
	static struct famiglia before;
	static struct events events;
	const struct action *action = &cause->action;
	struct table table_before = game.table;
	enum err expected = table_error(action);
	struct rng rng;

	rng_init(&rng, cause->seed);
	memcpy(&before, &game.famiglia, sizeof(before));
	events.count = 0;
	sim_place.tries++;
	tally.tried++;
	enum err err = table_apply(&game.table, action, &rng, &events);
	CHECK(err == expected);
	tally.refused[err]++;
	if (err) {
		CHECK(events.count == 0 && !rng.used);
		CHECK(same_bytes(&before, &game.famiglia, sizeof(before)));
		CHECK(same_bytes(&table_before, &game.table,
		                 sizeof(table_before)));
		return;
	}
	if (action->verb >= VERB_OF_RULESET) {
		CHECK(events.count == 1);
		tally.verbs[action->verb]++;
	}
	CHECK(game.cause_count < ACTIONS_MAX);
	sim_place.version = game.table.version;
	game.causes[game.cause_count++] = *cause;
	tally.succeeded++;
	note_events(&events, starter);
	check_state();
}

/* The kept actions, from the start, give the same events and last state. */
static void check_replay(void)
{
	static struct famiglia again;
	static struct events events;
	uint8_t bytes[2][RULESET_STATE_MAX];
	struct table table;
	struct rng rng;
	unsigned at = 0;

	fam_open_table(&table, &again);
	for (unsigned i = 0; i < game.cause_count; i++) {
		events.count = 0;
		rng_init(&rng, game.causes[i].seed);
		CHECK(!table_apply(&table, &game.causes[i].action, &rng,
		                   &events));
		CHECK(same_bytes(events.list, &game.events[at],
		                 events.count * sizeof(struct event)));
		at += events.count;
		if (i + 1 == game.late_at)
			again = game.late;
	}
	size_t len = famiglia_encode(&game.famiglia, bytes[0]);
	CHECK(at == game.event_count && table.version == game.table.version);
	CHECK(famiglia_encode(&again, bytes[1]) == len);
	CHECK(same_bytes(bytes[0], bytes[1], len));
	crypto_generichash_update(&digest, bytes[0], len);
	crypto_generichash_update(&digest, (const uint8_t *)game.events,
	                          at * sizeof(struct event));
}

static void tally_corners(const struct fam_model *model)
{
	tally.turned_exactly += model->turned_exactly;
	tally.turned_in_lay += model->turned_in_lay;
	tally.turned_in_refill += model->turned_in_refill;
	tally.came_back += model->came_back;
	tally.ended_unturned += model->ended_unturned;
	tally.refilled_after += model->refilled_after;
	tally.whole_round += model->whole_round;
	tally.brute_to_zero += model->brute_to_zero;
	tally.stand_in += model->stand_in;
	tally.stand_in_kept += model->stand_in_kept;
	tally.stand_in_for_own += model->stand_in_for_own;
	tally.empty_street += model->empty_street;
}

/* As many turns for both, unless both have passed, or somebody left. */
static void check_end(void)
{
	const struct fam_model *model = &game.model;
	unsigned of_first = model->turns_of[model->starter];
	unsigned of_second = model->turns_of[3 - model->starter];

	CHECK(model->is_over && model->turn <= TURNS_MAX);
	CHECK(of_first == of_second ||
	      ((model->ended_early || model->forfeiter) &&
	       of_first == of_second + 1));
	CHECK(of_first + of_second + (model->forfeiter != 0) == model->turn);
	if (model->turn > tally.turns_max)
		tally.turns_max = model->turn;
	tally.endings[game.famiglia.ending]++;
	if (!model->forfeiter)
		tally.decided[model->decided]++;
	tally.winners[model->winner]++;
	tally_corners(model);
}

static void lay_late(void)
{
	fam_late(&game.famiglia, &game.random);
	CHECK(famiglia_reachable(&game.famiglia));
	game.late = game.famiglia;
	game.late_at = game.cause_count;
	fam_model_of_state(&game.model, &game.famiglia);
}

/* Play what was opened to its end; with a first action if there is one. */
static void play_game(const struct action *first, unsigned starter)
{
	struct cause cause;

	sim_place.tries = sim_place.version = 0;
	game.cause_count = game.event_count = game.late_at = 0;
	game.is_late = sim_percent(&game.random, LATE_PERCENT);
	memset(&game.model, 0, sizeof(game.model));
	fam_open_table(&game.table, &game.famiglia);
	while (!status_is_over(game.table.status)) {
		CHECK(sim_place.tries < TRIES_MAX);
		cause.action = first && game.table.version == 0
		                       ? *first
		                       : fam_next(&game.table, &game.policy,
		                                  &game.random);
		sim_seed(&game.random, cause.seed);
		do_action(&cause, starter);
		if (game.is_late && !game.late_at && game.model.has_begun)
			lay_late();
	}
	check_end();
	check_replay();
	sim_place.games++;
}

static void play_players(uint64_t seed)
{
	struct famiglia next;
	struct action again;

	sim_place = (struct sim_place){ .seed = seed };
	game.random = (struct sim_random){ seed };
	game.policy = fam_policy(&game.random);
	play_game(NULL, 1);
	/* A game with a vacant seat has no rematch here. */
	if (game.table.vacant || !sim_percent(&game.random, AGAIN_PERCENT))
		return;
	CHECK(!table_start_rematch(&game.table, NULL, 0, &next, &again));
	tally.again++;
	play_game(&again, 2);
}

/* --- the whole ------------------------------------------------------------ */

static void print_tally(uint64_t games)
{
	uint8_t hash[16];
	char hex[2 * sizeof(hash) + 1];

	print_message("games: %" PRIu64 " and %" PRIu64
	              " again; last round %" PRIu64 ", both passed %" PRIu64
	              "; by a card %" PRIu64 ", drawn %" PRIu64
	              "; at most %u turns\n",
	              games, tally.again, tally.endings[1], tally.endings[2],
	              tally.decided[2], tally.decided[0], tally.turns_max);
	print_message("actions: %" PRIu64 " chosen, %" PRIu64
	              " done; states: %" PRIu64 "; sampled: %" PRIu64
	              ", allowed %" PRIu64 "\n",
	              tally.tried, tally.succeeded, tally.states, tally.sampled,
	              tally.allowed);
	print_message("longest: %zu legal actions, view %zu, event %zu\n",
	              tally.legal_max, tally.view_max, tally.event_max);
	for (unsigned err = 0; err < ERR_COUNT; err++) {
		if (tally.refused[err])
			print_message("%14" PRIu64 " tried: %s\n",
			              tally.refused[err],
			              err_code((enum err)err));
	}
	crypto_generichash_final(&digest, hash, sizeof(hash));
	print_message("digest: %s\n",
	              sodium_bin2hex(hex, sizeof(hex), hash, sizeof(hash)));
}

static void expect_met(uint64_t count, const char *what)
{
	print_message("%14" PRIu64 " met: %s\n", count, what);
	if (!count)
		fail_msg("never met: %s", what);
}

/* Nothing was proved if hardly anything was met. */
static void check_refusals(void)
{
	static const uint8_t refusals[] = {
		ERR_NO_SUCH_SEAT,   ERR_INVALID,
		ERR_NOT_YOUR_TURN,  ERR_GAME_OVER,
		ERR_ALREADY_USED,   ERR_STEP_OVER,
		ERR_ZERO_IN_STREET, ERR_REFILL_USED,
		ERR_PILE_EMPTY,     ERR_NOT_IN_STREET,
		ERR_NOT_IN_HAND,    ERR_WRONG_FAMILY,
		ERR_NO_ABILITY,     ERR_PLAYED_CARD,
		ERR_NOT_IN_DISPLAY, ERR_SWAP_TOO_LARGE,
		ERR_BRUTE_TOO_WEAK, ERR_BELOW_ZERO,
		ERR_PAYMENT_NEEDED, ERR_PAYMENT_NOT_NEEDED,
		ERR_WRONG_PAIR,     ERR_STAND_IN_TOO_LOW,
		ERR_TWO_STAND_INS,  ERR_NOT_ALLOWED_NOW,
	};

	for (size_t i = 0; i < ARRAY_LEN(refusals); i++)
		expect_met(tally.refused[refusals[i]] / 100,
		           err_code((enum err)refusals[i]));
}

static void check_tally(uint64_t games)
{
	check_refusals();
	for (unsigned verb = VERB_REFILL; verb <= VERB_PASS; verb++)
		assert_in_range(tally.verbs[verb], games / 2, 100 * games);
	expect_met(tally.endings[3], "a game that was forfeited");
	for (unsigned ending = 1; ending <= 2; ending++)
		assert_in_range(tally.endings[ending], games / 20, 2 * games);
	for (unsigned seat = 1; seat <= 2; seat++)
		assert_in_range(tally.winners[seat], games / 4, 2 * games);
	expect_met(tally.decided[2], "a game decided by a card");
	expect_met(tally.turned_exactly, "the pile runs out exactly");
	expect_met(tally.turned_in_lay, "while an empty street is filled");
	expect_met(tally.turned_in_refill, "in a refill");
	expect_met(tally.refilled_after, "and one more refill after that");
	expect_met(tally.came_back, "a card comes back from beneath");
	expect_met(tally.whole_round, "a whole further round");
	expect_met(tally.brute_to_zero, "a card lowered to zero, and taken");
	expect_met(tally.stand_in, "a mercenary stands in");
	expect_met(tally.stand_in_kept, "and is kept");
	expect_met(tally.stand_in_for_own, "for a mercenary");
	expect_met(tally.empty_street, "an empty street");
	expect_met(tally.ended_unturned, "no discards to turn");
}

static void test_games(void **state)
{
	uint64_t seed = sim_setting("GANG_SEED", SEED);
	uint64_t games = sim_games(GAMES);

	(void)state;
	assert_int_not_equal(sodium_init(), -1);
	crypto_generichash_init(&digest, NULL, 0, 16);
	fam_model_read_cards();
	for (uint64_t i = 0; i < games; i++)
		play_players(seed + i);
	print_tally(games);
	if (games >= GAMES)
		check_tally(games);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_games) };

	return cmocka_run_group_tests_name("famiglia, simulation", tests, NULL,
	                                   NULL);
}
