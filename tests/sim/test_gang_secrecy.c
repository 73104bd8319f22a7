/*
 * test_gang_secrecy.c - nobody learns what they may not see.
 *
 * A state of a game is paired with a twin, in which the cards that a viewer
 * may not see are exchanged among each other.  All that the viewer can ask
 * for must be the same, byte for byte, in both: view, hands, legal actions,
 * ended heists, events, and what comes of every action the viewer can send.
 * Then both games go on by the same actions, and what the viewer is told must
 * stay the same until a hidden card is opened by the rules.
 *
 * So that this can fail, printers that leak a little are held to the same
 * comparison, and each must be found out.
 *
 *   GANG_SEED   the first game's seed    GANG_GAMES  how many pairs
 */
#include <inttypes.h>
#include <stdio.h>

#include "gang/print.h"
#include "twin.h"

enum {
	PAIRS = 20000,
	SEED = 20260131,
	TEXT_MAX = 64 * 1024,
	GO_ON_MAX = 24, /* tries after the pair was made */
	DISCARDS_MAX = 6,
};

/* What a viewer is shown of it. */
struct printer {
	const char *name;
	void (*print)(const struct scene *scene, unsigned seat,
	              struct json_out *out);
	unsigned found; /* differences, where there should be some */
};

static uint64_t game_seed;
static struct scene game;
static struct scene original; /* the pair */
static struct scene twin;
static struct gang_view view;
static struct twin_tally tally;
static unsigned pairs_count;

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
	const struct record *record;

	scene->table.rules->view(&scene->gang, seat, &view);
	for (unsigned i = 1; (record = gang_view_record(&view, i)); i++)
		gang_print_record(record, out);
}

/* The deal of this heist, as it was put into the log. */
static struct event deal_of(const struct gang *gang)
{
	struct event event = { .type = EVENT_CARDS_DEALT,
		               .heist = gang->heist.number };

	event_open(&event, gang->heist.pockets[0].count);
	event_pockets(&event, &gang->heist);
	return event;
}

static void print_event(const struct event *event, unsigned seat,
                        struct json_out *out)
{
	const char *type = gang_ruleset.event_type(event->type);

	json_object(out);
	json_key_string(out, "type", type ? type : "");
	json_key_int(out, "seat", event->seat);
	json_key_int(out, "heist", event->heist);
	gang_ruleset.print_event(event, seat, out);
	json_object_end(out);
}

static void print_deal(const struct scene *scene, unsigned seat,
                       struct json_out *out)
{
	struct event event = deal_of(&scene->gang);

	print_event(&event, seat, out);
}

static void print_events(const struct scene *scene, unsigned seat,
                         struct json_out *out)
{
	for (unsigned i = 0; i < scene->events.count; i++)
		print_event(&scene->events.list[i], seat, out);
}

static struct printer printers[] = {
	{ .name = "view", .print = print_view },
	{ .name = "you", .print = print_you },
	{ .name = "legal actions", .print = print_legal },
	{ .name = "hands", .print = print_hands },
	{ .name = "ended heists", .print = print_heists },
	{ .name = "deal", .print = print_deal },
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
	json_raw(out, "  ", 1 + bit_of_another(scene, seat));
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

/* What the dealer's log looks like to a neighbour. */
static void leak_deal(const struct scene *scene, unsigned seat,
                      struct json_out *out)
{
	print_deal(scene, seat % scene->table.seats + 1, out);
}

/* The best hand at the table, of cards that are not on it. */
static void leak_strength(const struct scene *scene, unsigned seat,
                          struct json_out *out)
{
	print_hands(scene, seat, out);
	json_key_int(out, "stars", sim_deserved(&scene->gang, seat ? seat : 1));
}

static struct printer leaks[] = {
	{ .name = "a card of the deck", .print = leak_deck },
	{ .name = "a discarded card", .print = leak_discard },
	{ .name = "a bit of another's card", .print = leak_bit },
	{ .name = "a bit in the length", .print = leak_by_length },
	{ .name = "a bit in the order", .print = leak_by_order },
	{ .name = "a neighbour's cards", .print = leak_deal },
	{ .name = "how strong a hand is", .print = leak_strength },
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

/* True if a viewer is shown the same of both; the one door of this test. */
static bool same_for(const struct printer *printer, unsigned seat)
{
	static char texts[2][TEXT_MAX];
	size_t len = print_into(texts[0], printer, &original, seat);
	size_t twin_len = print_into(texts[1], printer, &twin, seat);

	return len == twin_len && memcmp(texts[0], texts[1], len) == 0;
}

static void fail_pair(unsigned seat, const char *what)
{
	fail_msg("seat %u can tell twins apart by: %s\n"
	         "again: GANG_SEED=%" PRIu64 " GANG_GAMES=100, version %u",
	         seat, what, game_seed, (unsigned)game.table.version);
}

static void check_same(unsigned seat)
{
	for (size_t i = 0; i < ARRAY_LEN(printers); i++) {
		if (!same_for(&printers[i], seat))
			fail_pair(seat, printers[i].name);
	}
}

/* --- twins ---------------------------------------------------------------- */

/*
 * Let some cards lie as if players had discarded them, from the bottom of the
 * deck, where nobody misses them.
 */
static void discard_some(struct heist *heist, struct sim_random *random)
{
	unsigned count = sim_below(random, DISCARDS_MAX + 1);

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
                     const uint8_t seed[CHANCE_SEED_SIZE])
{
	enum err err = scene_act(&original, action, seed);

	if (scene_act(&twin, action, seed) != err)
		fail_pair(seat, err_code(err));
	if (twins_are_opened(&original, &twin))
		return false;
	if (!err)
		check_same(seat);
	return true;
}

static void try_both(unsigned seat, struct action action)
{
	static const uint8_t seed[CHANCE_SEED_SIZE];
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

/* All that the viewer can send. */
static void try_everything(unsigned seat)
{
	static const uint8_t froms[] = {
		0, 1, 2, 3, 4, 5, 6, CHIP_FROM_ANYWHERE
	};

	try_both(seat, (struct action){ .verb = VERB_JOIN });
	try_both(seat, (struct action){ .verb = VERB_START });
	try_both(seat, (struct action){ .verb = VERB_NEXT_HEIST });
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

static void go_on(unsigned seat, const struct sim_policy *policy,
                  struct sim_random *random)
{
	uint8_t seed[CHANCE_SEED_SIZE];

	for (unsigned i = 0; i < GO_ON_MAX; i++) {
		struct action action =
			sim_choose(&original.table, policy, random);
		sim_seed(random, seed);
		if (!act_both(seat, &action, seed) || are_equal() ||
		    original.table.status != STATUS_PLAYING)
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

static void check_pair(unsigned seat, const struct sim_policy *policy,
                       struct sim_random *random)
{
	scene_copy(&original, &game);
	discard_some(&original.gang.heist, random);
	do {
		make_twin(seat, random);
	} while (are_equal());
	pairs_count++;
	tally_pair(&tally, &original, seat);

	check_same(seat);
	check_leaks(seat);
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

/* A game with some ten pairs on its way, each for a viewer chosen anew. */
static void play_game(uint64_t seed, unsigned pairs_wanted)
{
	struct sim_random random = { seed };
	struct sim_policy policy = sim_policy(&random);
	uint8_t chance[CHANCE_SEED_SIZE];

	game_seed = seed;
	game.events.count = 0;
	sim_open(&game.table, &game.gang);
	while (!is_over()) {
		struct action action =
			sim_choose(&game.table, &policy, &random);
		sim_seed(&random, chance);
		if (scene_act(&game, &action, chance) ||
		    game.table.status == STATUS_LOBBY)
			continue;
		if (pairs_count < pairs_wanted &&
		    (is_over() || sim_percent(&random, 10)))
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
		if (leaks[i].found < pairs_count / 10)
			fail_msg("a leak was not found: %s", leaks[i].name);
	}
}

static void test_pairs(void **state)
{
	uint64_t seed = sim_setting("GANG_SEED", SEED);
	unsigned wanted = (unsigned)sim_setting("GANG_GAMES", PAIRS);

	(void)state;
	while (pairs_count < wanted)
		play_game(seed++, wanted);
	print_message("%u pairs of games\n", pairs_count);
	if (wanted < 1000)
		return;
	tally_check(&tally);
	check_found();
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_pairs) };

	return cmocka_run_group_tests_name("gang, secrecy", tests, NULL, NULL);
}
