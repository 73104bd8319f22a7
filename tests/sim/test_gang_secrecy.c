/*
 * test_gang_secrecy.c - a player learns nothing of what is hidden.
 *
 * A state of a game is paired with its twin (gang_twin.h), which differs in
 * everything hidden from a viewer: cards, private choices, cards shown to
 * others, the order of shuffled stacks, and what the log keeps of them.  All
 * that the viewer can ask for must be the same, byte for byte, in both: view,
 * hands, legal actions, showdown, ended heists, events, and the outcome of
 * every action the viewer can send.  Then both games go on by the same actions,
 * and the viewer's answers must stay the same until the rules open what is
 * hidden.  When a player is removed from both, what is left of the heist is the
 * same for every viewer: the player who takes the seat over learns nothing.
 *
 * So that the comparison can fail, printers that leak a little are held to it
 * too, and each must be found out.
 *
 *   GANG_SEED   the first game's seed    GANG_GAMES  how many pairs
 */
#include <inttypes.h>
#include <stdio.h>

#include "games/gang/rules/gang_print.h"
#include "gang_twin.h"

enum {
	PAIRS = 2000,
	SEED = 20260131,
	TEXT_MAX = 256 * 1024,
	GO_ON_MAX = 24, /* tries after the pair was made */
	LOG_MAX = 512,  /* events of one heist */
	DISCARDS_MAX = 3,
};

/* A part of the view of a scene, as JSON. */
struct printer {
	const char *name;
	void (*print)(const struct scene *scene, unsigned seat,
	              struct json_out *out);
	unsigned least; /* of 10,000 pairs that have to differ */
	unsigned found; /* differences, where there should be some */
};

/* The log of the present heist. */
struct log {
	unsigned count;
	struct event events[LOG_MAX];
};

static uint64_t game_seed;
static struct scene game;
static struct scene original; /* the pair */
static struct scene twin;
static struct log game_log;
static struct log logs[2]; /* of the pair, as it was made */
static struct gang_view view;
static struct twin_tally tally;
static unsigned pairs_count;
static unsigned removals;

/* --- printers that should keep secrets ------------------------------------ */

static void print_view(const struct scene *scene, unsigned seat,
                       struct json_out *out)
{
	scene->table.rules->view(&scene->gang, seat, &view);
	scene->table.rules->print_view(&view, out);
}

static void print_you(const struct scene *scene, unsigned seat,
                      struct json_out *out)
{
	scene->table.rules->view(&scene->gang, seat, &view);
	scene->table.rules->print_you(&view, out);
}

static void print_legal(const struct scene *scene, unsigned seat,
                        struct json_out *out)
{
	scene->table.rules->view(&scene->gang, seat, &view);
	scene->table.rules->print_legal(&view, "/v1/games/x", out);
}

static void print_hands(const struct scene *scene, unsigned seat,
                        struct json_out *out)
{
	scene->table.rules->view(&scene->gang, seat, &view);
	for (unsigned other = 1; other <= scene->table.seats; other++) {
		json_key_int(out, "seat", other);
		json_bool(out,
		          scene->table.rules->print_hand(&view, other, out));
	}
}

static void print_heists(const struct scene *scene, unsigned seat,
                         struct json_out *out)
{
	const struct summary *record;

	scene->table.rules->view(&scene->gang, seat, &view);
	for (unsigned i = 1; (record = gang_view_summary(&view, i)); i++)
		gang_print_summary(record, out);
}

static void print_showdown(const struct scene *scene, unsigned seat,
                           struct json_out *out)
{
	struct showdown showdown;

	scene->table.rules->view(&scene->gang, seat, &view);
	if (gang_view_showdown(&view, &showdown))
		gang_print_showdown(&showdown, out);
}

static void print_event(const struct event *event, unsigned seat,
                        struct json_out *out)
{
	const struct event_row *row = ruleset_event(&gang_ruleset, event->type);

	json_object(out);
	json_key_string(out, "type", row ? row->code : "");
	json_key_int(out, "seat", event->seat);
	json_key_int(out, "heist", event->part);
	ruleset_print_event(&gang_ruleset, event, seat, out);
	json_object_end(out);
}

/* Print the log as one seat sees it, for another reader. */
static void print_log_for(const struct scene *scene, unsigned seat,
                          unsigned reader, bool hides, struct json_out *out)
{
	const struct log *log = &logs[scene == &twin];

	gang_view(&scene->gang, seat, &view);
	for (unsigned i = 0; i < log->count; i++) {
		const struct event *event = &log->events[i];

		const struct event_row *row =
			ruleset_event(&gang_ruleset, event->type);
		enum sight sight = hides && row && row->sight
		                           ? row->sight(&view, event)
		                           : SIGHT_SEAT;

		if (sight == SIGHT_NONE)
			json_string(out, "hidden");
		else
			print_event(event, sight == SIGHT_SEAT ? reader : 0,
			            out);
	}
}

static void print_log(const struct scene *scene, unsigned seat,
                      struct json_out *out)
{
	print_log_for(scene, seat, seat, true, out);
}

static void print_events(const struct scene *scene, unsigned seat,
                         struct json_out *out)
{
	for (unsigned i = 0; i < scene->events.count; i++)
		print_event(&scene->events.list[i], seat, out);
}

/* The log is long, and compared where it may have changed. */
static struct printer log_printer = { .name = "log", .print = print_log };

static struct printer printers[] = {
	{ .name = "view", .print = print_view },
	{ .name = "you", .print = print_you },
	{ .name = "legal actions", .print = print_legal },
	{ .name = "hands", .print = print_hands },
	{ .name = "showdown", .print = print_showdown },
	{ .name = "ended heists", .print = print_heists },
	{ .name = "events", .print = print_events },
};

/* --- printers that do not ------------------------------------------------- */

static void leak_deck(const struct scene *scene, unsigned seat,
                      struct json_out *out)
{
	print_view(scene, seat, out);
	json_key_int(out, "next", scene->gang.heist.deck[0]);
}

static void leak_discard(const struct scene *scene, unsigned seat,
                         struct json_out *out)
{
	const struct heist *heist = &scene->gang.heist;

	print_view(scene, seat, out);
	if (heist->discards_count)
		json_key_int(out, "discarded", heist->discards[0]);
}

/* One bit of a card that is some other player's. */
static unsigned bit_of_another(const struct scene *scene, unsigned seat)
{
	unsigned other = seat == 1 ? 2 : 1;

	return scene->gang.heist.pockets[other - 1].cards[0] & 1;
}

static void leak_bit(const struct scene *scene, unsigned seat,
                     struct json_out *out)
{
	print_you(scene, seat, out);
	json_key_bool(out, "odd", bit_of_another(scene, seat));
}

static void leak_by_length(const struct scene *scene, unsigned seat,
                           struct json_out *out)
{
	print_view(scene, seat, out);
	json_string_len(out, "  ", 1 + bit_of_another(scene, seat));
}

static void leak_by_order(const struct scene *scene, unsigned seat,
                          struct json_out *out)
{
	if (bit_of_another(scene, seat))
		print_you(scene, seat, out);
	print_legal(scene, seat, out);
	if (!bit_of_another(scene, seat))
		print_you(scene, seat, out);
}

/* The log as a neighbour sees it. */
static unsigned neighbour_of(const struct scene *scene, unsigned seat)
{
	return seat % scene->table.seats + 1;
}

static void leak_log(const struct scene *scene, unsigned seat,
                     struct json_out *out)
{
	print_log_for(scene, seat, neighbour_of(scene, seat), true, out);
}

/* Only what is hidden of the log under Blackout. */
static void leak_chips(const struct scene *scene, unsigned seat,
                       struct json_out *out)
{
	print_log_for(scene, seat, seat, false, out);
}

/* The best hand at the table, of cards that are not on it. */
static void leak_strength(const struct scene *scene, unsigned seat,
                          struct json_out *out)
{
	print_hands(scene, seat, out);
	json_key_int(out, "stars",
	             player_deserved_stars(&scene->gang, seat ? seat : 1));
}

/* The cards that others have laid out to be passed. */
static void leak_laid_out(const struct scene *scene, unsigned seat,
                          struct json_out *out)
{
	const uint8_t *cards = scene->gang.heist.ability.laid_out;

	print_you(scene, seat, out);
	json_key_int(out, "laid_out", cards[neighbour_of(scene, seat) - 1]);
}

static void leak_drawn(const struct scene *scene, unsigned seat,
                       struct json_out *out)
{
	print_you(scene, seat, out);
	json_key_int(out, "drawn", scene->gang.heist.ability.drawn);
}

static void leak_shown(const struct scene *scene, unsigned seat,
                       struct json_out *out)
{
	print_you(scene, seat, out);
	json_key_int(out, "shown", scene->gang.heist.ability.shown);
}

static void leak_former(const struct scene *scene, unsigned seat,
                        struct json_out *out)
{
	const struct pocket *former = scene->gang.heist.ability.former;

	print_you(scene, seat, out);
	json_key_int(out, "former",
	             former[neighbour_of(scene, seat) - 1].cards[0]);
}

/* The options of another player's choice. */
static void leak_options(const struct scene *scene, unsigned seat,
                         struct json_out *out)
{
	uint8_t options[OPTIONS_MAX] = { 0 };
	unsigned other = neighbour_of(scene, seat);

	print_you(scene, seat, out);
	(void)choice_options(&scene->gang.heist, other, options);
	json_key_int(out, "option", options[0]);
}

/* The challenge that comes next. */
static void leak_stack(const struct scene *scene, unsigned seat,
                       struct json_out *out)
{
	print_view(scene, seat, out);
	json_key_int(out, "next", scene->gang.challenges.cards[0]);
}

/* The ranking of the last hand, while the others are asked about it. */
static void leak_answer(const struct scene *scene, unsigned seat,
                        struct json_out *out)
{
	const struct heist *heist = &scene->gang.heist;

	print_view(scene, seat, out);
	if (heist_is_asking(heist))
		json_key_int(out, "right",
		             player_true_answer(heist, CHALLENGE_RETINA_SCAN));
}

static struct printer leaks[] = {
	{ .name = "a card of the deck", .print = leak_deck, .least = 4000 },
	{ .name = "a discarded card", .print = leak_discard, .least = 4000 },
	{ .name = "a bit of another's card", .print = leak_bit, .least = 2000 },
	{ .name = "a bit in the length",
	  .print = leak_by_length,
	  .least = 2000 },
	{ .name = "a bit in the order", .print = leak_by_order, .least = 2000 },
	{ .name = "a neighbour's log", .print = leak_log, .least = 4000 },
	{ .name = "how strong a hand is",
	  .print = leak_strength,
	  .least = 1000 },
	{ .name = "who held a hidden chip", .print = leak_chips, .least = 200 },
	{ .name = "a card laid out", .print = leak_laid_out, .least = 20 },
	{ .name = "a card drawn", .print = leak_drawn, .least = 20 },
	{ .name = "a card shown", .print = leak_shown, .least = 20 },
	{ .name = "a former card", .print = leak_former, .least = 20 },
	{ .name = "another's options", .print = leak_options, .least = 20 },
	{ .name = "the next challenge", .print = leak_stack, .least = 200 },
	{ .name = "a right answer", .print = leak_answer, .least = 100 },
};

/* --- the comparison ------------------------------------------------------- */

static size_t print_into(char *text, const struct printer *printer,
                         const struct scene *scene, unsigned seat)
{
	struct json_out out;

	json_out_init(&out, text, TEXT_MAX);
	printer->print(scene, seat, &out);
	assert_true(json_out_fits(&out));
	return json_out_len(&out);
}

/* As they were printed last. */
static char texts[2][TEXT_MAX];
static size_t lengths[2];

/* True if a viewer is shown the same of both; the one door of this test. */
static bool same_for(const struct printer *printer, unsigned seat)
{
	lengths[0] = print_into(texts[0], printer, &original, seat);
	lengths[1] = print_into(texts[1], printer, &twin, seat);
	return lengths[0] == lengths[1] &&
	       memcmp(texts[0], texts[1], lengths[0]) == 0;
}

static void fail_pair(unsigned seat, const char *what)
{
	fail_msg("seat %u can tell twins apart by: %s\n"
	         "again: GANG_SEED=%" PRIu64 " GANG_GAMES=100, version %u",
	         seat, what, game_seed, (unsigned)game.table.version);
}

static void check_printer(const struct printer *printer, unsigned seat)
{
	if (same_for(printer, seat))
		return;
	for (int i = 0; i < 2; i++)
		print_error("%.*s\n", (int)lengths[i], texts[i]);
	fail_pair(seat, printer->name);
}

static void check_log(unsigned seat)
{
	check_printer(&log_printer, seat);
}

static void check_same(unsigned seat)
{
	for (size_t i = 0; i < ARRAY_LEN(printers); i++)
		check_printer(&printers[i], seat);
}

/* --- twins ---------------------------------------------------------------- */

/*
 * Let some cards lie as if players had discarded them at the flop, from the
 * bottom of the deck, where nobody misses them.
 */
static void discard_some(struct heist *heist, struct sim_random *random)
{
	unsigned count = sim_below(random, DISCARDS_MAX + 1);

	if (!heist->community_count ||
	    heist->discards_count + count >= HEIST_DISCARDS_MAX)
		return;
	memcpy(heist->discards + heist->discards_count, heist->deck, count);
	heist->discards_count = (uint8_t)(heist->discards_count + count);
	heist->deck_count = (uint8_t)(heist->deck_count - count);
	memmove(heist->deck, heist->deck + count, heist->deck_count);
}

static void make_twin(unsigned seat, struct sim_random *random)
{
	uint8_t bytes[RULESET_STATE_MAX];
	bool good = twin_make(&twin, &original, seat, random);
	size_t len = gang_encode(&twin.gang, bytes);

	if (!good || !gang_decode(&twin.gang, bytes, len))
		fail_pair(seat, "a twin that is no game");
	logs[0] = logs[1] = game_log;
	for (unsigned i = 0; i < game_log.count; i++)
		twin_event(&logs[1].events[i], &original.gang.heist, seat,
		           random);
}

/* True once the heist is over that Blackout has put chips out of sight in. */
static bool are_chips_opened(void)
{
	const struct heist *heist = &original.gang.heist;

	return heist->outcome != OUTCOME_OPEN &&
	       heist->setup.challenges >> CHALLENGE_BLACKOUT & 1;
}

static bool are_equal(void)
{
	uint8_t bytes[2][RULESET_STATE_MAX];
	size_t len = gang_encode(&original.gang, bytes[0]);

	return gang_encode(&twin.gang, bytes[1]) == len &&
	       memcmp(bytes[0], bytes[1], len) == 0;
}

/* --- going on ------------------------------------------------------------- */

/* Do the same in both; false once they may differ. */
static bool act_both(unsigned seat, const struct action *action,
                     const uint8_t seed[RNG_SEED_SIZE])
{
	struct action same = twin_action(&twin, &original, seat, *action);
	enum err err = scene_act(&original, action, seed);

	if (scene_act(&twin, &same, seed) != err)
		fail_pair(seat, err_code(err));
	if (twins_are_opened(&original, &twin, seat))
		return false;
	if (!err)
		check_same(seat);
	return true;
}

static void try_both(unsigned seat, struct action action)
{
	static const uint8_t seed[RNG_SEED_SIZE];
	static struct scene kept[2];
	uint32_t version = original.table.version;

	action.seat = (uint8_t)seat;
	scene_copy(&kept[0], &original);
	scene_copy(&kept[1], &twin);
	(void)act_both(seat, &action, seed);
	if (original.table.version != version) {
		scene_copy(&original, &kept[0]);
		scene_copy(&twin, &kept[1]);
	}
}

static void try_chips(unsigned seat)
{
	static const uint8_t froms[] = {
		0, 1, 2, 3, 4, 5, 6, CHIP_FROM_ANYWHERE
	};

	for (unsigned chip = 0; chip < COLOR_COUNT * CHIPS_MAX; chip++) {
		uint8_t color = (uint8_t)(chip / CHIPS_MAX);
		uint8_t stars = (uint8_t)(1 + chip % CHIPS_MAX);
		try_both(seat, (struct action){ .verb = VERB_RETURN,
		                                .args = { color, stars } });
		for (size_t i = 0; i < ARRAY_LEN(froms); i++)
			try_both(seat, (struct action){ .verb = VERB_TAKE,
			                                .args = { color, stars,
			                                          froms[i] } });
	}
}

static void try_one(unsigned seat, unsigned verb, unsigned first,
                    unsigned second)
{
	try_both(seat, (struct action){
			       .verb = (uint8_t)verb,
			       .args = { (uint8_t)first, (uint8_t)second } });
}

static void try_words(unsigned seat)
{
	try_one(seat, VERB_VOTE, false, 0);
	try_one(seat, VERB_VOTE, true, 0);
	for (unsigned value = 1; value <= CARD_RANKS; value++)
		try_one(seat, VERB_ANSWER, CHALLENGE_RETINA_SCAN, value);
	for (unsigned value = 1; value <= RANKING_COUNT; value++)
		try_one(seat, VERB_ANSWER, CHALLENGE_FINGERPRINT_SCAN, value);
	for (unsigned card = 0; card < CARD_COUNT; card++)
		try_one(seat, VERB_CHOOSE, card, 0);
	try_one(seat, VERB_CHOOSE, CHOICE_LOOKED, 0);
}

/* All that the viewer can send; of proposals, one of each kind. */
static void try_everything(unsigned seat)
{
	unsigned other = neighbour_of(&original, seat);

	try_one(seat, VERB_JOIN, 0, 0);
	try_one(seat, VERB_START, 0, 0);
	try_one(seat, VERB_REMATCH, 0, 0);
	try_one(seat, VERB_NEXT_HEIST, 0, 0);
	try_one(seat, VERB_CONFIRM_ROUND, 0, 0);
	try_one(seat, VERB_PROPOSE, seat, 0);
	try_one(seat, VERB_PROPOSE, seat, other);
	try_both(seat, (struct action){ .verb = VERB_PROPOSE,
	                                .args = { (uint8_t)other, 0, 7 } });
	try_chips(seat);
	try_words(seat);
}

static void go_on(unsigned seat, const struct player_policy *policy,
                  struct sim_random *random)
{
	uint8_t seed[RNG_SEED_SIZE];

	for (unsigned i = 0; i < GO_ON_MAX; i++) {
		struct action action =
			player_choose(&original.table, policy, random);
		sim_seed(random, seed);
		if (!act_both(seat, &action, seed) || are_chips_opened())
			return;
		check_log(seat);
		if (are_equal() || original.table.status != STATUS_PLAYING)
			return;
	}
}

/* --- pairs ---------------------------------------------------------------- */

static void check_leaks(unsigned seat)
{
	for (size_t i = 0; i < ARRAY_LEN(leaks); i++) {
		if (!same_for(&leaks[i], seat))
			leaks[i].found++;
	}
}

/* The same player is removed from a copy of both, and another sits down. */
static void remove_from(struct scene *copy, const struct scene *from,
                        unsigned seat, uint8_t *bytes, size_t *len)
{
	static const uint8_t seed[RNG_SEED_SIZE];
	struct action leave = {
		.verb = VERB_LEAVE,
		.seat = (uint8_t)(seat == 1 ? 2 : 1),
		.args = { [LEAVE_SEAT] = (uint8_t)seat, [LEAVE_ABSENT] = true },
	};
	struct action join = { .verb = VERB_JOIN };

	scene_copy(copy, from);
	/* The order of the stacks is another secret: leave it alike. */
	copy->gang.challenges = original.gang.challenges;
	copy->gang.specialists = original.gang.specialists;
	copy->table.host = leave.seat;
	*len = 0;
	if (scene_act(copy, &leave, seed) || scene_act(copy, &join, seed))
		return;
	*len = gang_encode(&copy->gang, bytes);
}

static void check_removal(unsigned seat)
{
	static struct scene copies[2];
	uint8_t bytes[2][RULESET_STATE_MAX];
	size_t lens[2];

	remove_from(&copies[0], &original, seat, bytes[0], &lens[0]);
	remove_from(&copies[1], &twin, seat, bytes[1], &lens[1]);
	if (lens[0] != lens[1] || memcmp(bytes[0], bytes[1], lens[0]) != 0)
		fail_pair(seat, "what a removed player leaves");
	removals += lens[0] > 0;
}

static void check_pair(unsigned seat, const struct player_policy *policy,
                       struct sim_random *random)
{
	scene_copy(&original, &game);
	discard_some(&original.gang.heist, random);
	do {
		make_twin(seat, random);
	} while (are_equal());
	pairs_count++;
	twin_tally_pair(&tally, &original, seat);

	check_same(seat);
	check_log(seat);
	check_leaks(seat);
	if (original.gang.heist.outcome == OUTCOME_OPEN)
		check_removal(neighbour_of(&original, seat));
	if (seat)
		try_everything(seat);
	if (game.table.status == STATUS_PLAYING)
		go_on(seat, policy, random);
}

static bool is_over(void)
{
	return game.table.status == STATUS_WON ||
	       game.table.status == STATUS_LOST;
}

/* Keep what the last action added; a deal begins anew. */
static void keep_log(void)
{
	for (unsigned i = 0; i < game.events.count; i++) {
		const struct event *event = &game.events.list[i];

		if (event->type == EVENT_HEIST_STARTED)
			game_log.count = 0;
		if (event->type < EVENT_OF_RULESET)
			continue;
		assert_true(game_log.count < LOG_MAX);
		game_log.events[game_log.count++] = *event;
	}
}

/* Moments of private choices and questions are few: more of them are taken. */
static bool is_wanted(struct sim_random *random)
{
	const struct heist *heist = &game.gang.heist;
	bool is_rare = heist->ability.choosing || heist_is_asking(heist);

	return is_over() || sim_percent(random, is_rare ? 100 : 8);
}

/* A game with some ten pairs on its way, each for a viewer chosen anew. */
static void play_game(uint64_t seed, unsigned pairs_wanted)
{
	struct sim_random random = { seed };
	struct player_policy policy = player_policy(&random);
	uint8_t rng[RNG_SEED_SIZE];

	game_seed = seed;
	game.events.count = 0;
	policy.shuffled = sim_percent(&random, 75);
	policy.eager = 20;
	player_open_table(&game.table, &game.gang);
	while (!is_over()) {
		struct action action =
			player_choose(&game.table, &policy, &random);
		sim_seed(&random, rng);
		if (scene_act(&game, &action, rng))
			continue;
		keep_log();
		/* An abandoned heist hides nothing. */
		if (game.table.status != STATUS_LOBBY &&
		    game.gang.heist.outcome != OUTCOME_ABANDONED &&
		    pairs_count < pairs_wanted && is_wanted(&random))
			check_pair(sim_below(&random, game.table.seats + 1U),
			           &policy, &random);
	}
}

/* --- the whole ------------------------------------------------------------ */

/* Each leak was seen in a good part of the pairs. */
static void check_found(void)
{
	for (size_t i = 0; i < ARRAY_LEN(leaks); i++) {
		print_message("%u of %u pairs give away: %s\n", leaks[i].found,
		              pairs_count, leaks[i].name);
		if (leaks[i].found <
		    (uint64_t)pairs_count * leaks[i].least / 10000)
			fail_msg("a leak was not found: %s", leaks[i].name);
	}
}

static void test_pairs(void **state)
{
	uint64_t seed = sim_setting("GANG_SEED", SEED);
	unsigned wanted = (unsigned)sim_games(PAIRS);

	(void)state;
	while (pairs_count < wanted)
		play_game(seed++, wanted);
	print_message("%u pairs of games\n", pairs_count);
	if (wanted < 1000)
		return;
	twin_tally_check(&tally);
	check_found();
	assert_in_range(removals, wanted / 2, wanted);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_pairs) };

	return cmocka_run_group_tests_name("gang, secrecy", tests, NULL, NULL);
}
