/*
 * test_famiglia_secrecy.c - a player of Famiglia learns nothing of what is
 * hidden.
 *
 * A state of a game is paired with a twin, in which the draw pile lies in
 * another order, and cards of a hand that the viewer may not see are exchanged
 * with others that the viewer does not see.  All that the viewer is shown must
 * be the same, byte for byte, in both, and so must the outcome of whatever the
 * viewer sends, until cards are revealed.
 *
 * So that the comparison can fail, printers that leak a little are held to it
 * too, and each must be found out.
 *
 *   GANG_SEED   the first game's seed    GANG_GAMES  how many pairs
 */
#include <inttypes.h>

#include "famiglia_player.h"
#include "famiglia_twin.h"

enum {
	PAIRS = 10000,
	SEED = 20260131,
	TEXT_MAX = 32 * 1024,
	TRIES = 12, /* that the viewer of a pair sends */
};

struct printer {
	const char *name;
	void (*print)(const struct famiglia *game, unsigned seat,
	              struct json_out *out);
	unsigned found; /* pairs that it distinguishes */
};

static struct famiglia original;
static struct famiglia twin;
static unsigned viewers[FAMIGLIA_SEATS + 1];
static unsigned endings[ENDING_FORFEITED + 1];
static unsigned exchanged;
static unsigned refused;
static unsigned done;
static unsigned revealed;

/* --- printers ------------------------------------------------------------- */

static void print_all(const struct famiglia *game, unsigned seat,
                      struct json_out *out)
{
	static struct famiglia_view view;

	famiglia_ruleset.view(game, seat, &view);
	famiglia_ruleset.print_view(&view, out);
	if (seat)
		famiglia_ruleset.print_you(&view, out);
	json_key(out, "legal");
	json_array(out);
	famiglia_ruleset.print_legal(&view, "/v1/games/x", out);
	json_array_end(out);
	for (unsigned other = 1; other <= FAMIGLIA_SEATS; other++)
		json_bool(out, famiglia_ruleset.print_hand(&view, other, out));
}

static void leak_next(const struct famiglia *game, unsigned seat,
                      struct json_out *out)
{
	print_all(game, seat, out);
	if (game->pile.count)
		json_int(out, game->pile.gangsters[game->pile.count - 1]);
}

static void leak_last(const struct famiglia *game, unsigned seat,
                      struct json_out *out)
{
	print_all(game, seat, out);
	json_int(out, game->pile.gangsters[0]);
}

static unsigned neighbour_of(unsigned seat)
{
	return seat == 1 ? 2 : 1;
}

static void leak_points(const struct famiglia *game, unsigned seat,
                        struct json_out *out)
{
	const struct side *side = &game->sides[neighbour_of(seat) - 1];

	print_all(game, seat, out);
	json_int(out, gangsters_points(side->hand));
}

/* One bit, in the length: has the other an accountant to play? */
static void leak_ability(const struct famiglia *game, unsigned seat,
                         struct json_out *out)
{
	const struct side *side = &game->sides[neighbour_of(seat) - 1];
	bool able = turn_able(side->hand, FAMILY_ACCOUNTANTS) != 0;

	print_all(game, seat, out);
	json_string_len(out, "  ", 1 + able);
}

/* The legal actions of the other player. */
static void leak_legal(const struct famiglia *game, unsigned seat,
                       struct json_out *out)
{
	static struct famiglia_view view;

	famiglia_ruleset.view(game, neighbour_of(seat), &view);
	famiglia_ruleset.print_legal(&view, "/v1/games/x", out);
}

static struct printer leaks[] = {
	{ .name = "the next card", .print = leak_next },
	{ .name = "the last card", .print = leak_last },
	{ .name = "the points of a hand", .print = leak_points },
	{ .name = "an ability of a hand", .print = leak_ability },
	{ .name = "another's legal actions", .print = leak_legal },
};

/* --- the comparison ------------------------------------------------------- */

static char texts[2][TEXT_MAX];

static size_t print_into(char *text, const struct printer *printer,
                         const struct famiglia *game, unsigned seat)
{
	struct json_out out;

	json_out_init(&out, text, TEXT_MAX - 1);
	printer->print(game, seat, &out);
	CHECK(json_out_fits(&out));
	text[json_out_len(&out)] = '\0';
	return json_out_len(&out);
}

static bool same_for(const struct printer *printer, unsigned seat)
{
	size_t len = print_into(texts[0], printer, &original, seat);

	return print_into(texts[1], printer, &twin, seat) == len &&
	       same_bytes(texts[0], texts[1], len);
}

static void check_same(unsigned seat)
{
	static const struct printer all = { .print = print_all };
	static struct famiglia_view views[2];

	if (!same_for(&all, seat))
		print_error("%s\n%s\n", texts[0], texts[1]);
	CHECK(same_for(&all, seat));
	/* Not even what no printer looks at. */
	memset(views, 0, sizeof(views));
	famiglia_view(&original, seat, &views[0]);
	famiglia_view(&twin, seat, &views[1]);
	CHECK(same_bytes(&views[0], &views[1], sizeof(views[0])));
}

/* --- going on ------------------------------------------------------------- */

static enum err act_on(const struct famiglia *from, const struct action *action,
                       struct famiglia *to, struct events *events)
{
	static const uint8_t seed[RNG_SEED_SIZE];
	struct rng rng;

	rng_init(&rng, seed);
	memset(events, 0, sizeof(*events));
	*to = *from;
	return famiglia_apply(to, action, &rng, events);
}

/* True if what was done to a game has shown cards of the pile, or of hands. */
static bool opens_cards(const struct famiglia *before,
                        const struct action *action)
{
	return action->verb == VERB_REFILL ||
	       original.pile.count != before->pile.count || original.ending;
}

/* The viewer's actions have the same result, until one of them opens cards. */
static void try_both(unsigned viewer, const struct action *action)
{
	static struct events events[2];
	struct famiglia kept[2] = { original, twin };
	enum err err = act_on(&kept[0], action, &original, &events[0]);

	CHECK(act_on(&kept[1], action, &twin, &events[1]) == err);
	refused += err != ERR_OK;
	if (!err && opens_cards(&kept[0], action)) {
		revealed++;
	} else if (!err) {
		done++;
		CHECK(same_bytes(&events[0], &events[1], sizeof(events[0])));
		check_same(viewer);
	}
	original = kept[0];
	twin = kept[1];
}

static void try_actions(unsigned viewer, struct sim_random *random)
{
	for (unsigned i = 0; i < TRIES; i++) {
		struct action action = i % 3 ? fam_near(&original, random)
		                             : fam_nonsense(&original, random);

		action.seat = (uint8_t)viewer;
		try_both(viewer, &action);
	}
}

static void check_pair(struct sim_random *random)
{
	unsigned viewer = sim_below(random, FAMIGLIA_SEATS + 1);

	exchanged += fam_twin_make(&twin, &original, viewer, random);
	check_same(viewer);
	if (viewer)
		try_actions(viewer, random);
	for (size_t i = 0; i < ARRAY_LEN(leaks); i++)
		leaks[i].found += !same_for(&leaks[i], viewer);
	viewers[viewer]++;
	endings[original.ending]++;
}

/* --- games ---------------------------------------------------------------- */

static void play_game(uint64_t seed, uint64_t *pairs)
{
	struct sim_random random = { seed };
	struct fam_policy policy = fam_policy(&random);
	struct famiglia game;
	struct table table;
	struct events events;
	struct rng rng;
	uint8_t bytes[RNG_SEED_SIZE];

	sim_place = (struct sim_place){ .seed = seed };
	fam_open_table(&table, &game);
	while (!status_is_over(table.status)) {
		struct action action = fam_next(&table, &policy, &random);

		sim_seed(&random, bytes);
		rng_init(&rng, bytes);
		events.count = 0;
		sim_place.tries++;
		if (table_apply(&table, &action, &rng, &events) ||
		    table.status == STATUS_LOBBY)
			continue;
		sim_place.version = table.version;
		if (!sim_percent(&random, 25) && table.status == STATUS_PLAYING)
			continue;
		original = game;
		check_pair(&random);
		++*pairs;
	}
	sim_place.games++;
}

static void test_pairs(void **state)
{
	uint64_t seed = sim_setting("GANG_SEED", SEED);
	uint64_t wanted = sim_games(PAIRS);
	uint64_t pairs = 0;

	(void)state;
	while (pairs < wanted)
		play_game(seed++, &pairs);
	print_message("pairs: %" PRIu64 "; of spectators %u; after the end %u, "
	              "%u and %u; cards exchanged %u; refused %u, done %u, "
	              "revealing %u\n",
	              pairs, viewers[0], endings[1], endings[2], endings[3],
	              exchanged, refused, done, revealed);
	for (size_t i = 0; i < ARRAY_LEN(leaks); i++)
		print_message("%8u found out: %s\n", leaks[i].found,
		              leaks[i].name);
	if (wanted < PAIRS)
		return;
	for (size_t i = 0; i < ARRAY_LEN(leaks); i++)
		assert_in_range(leaks[i].found, wanted / 50, 2 * wanted);
	for (unsigned i = 0; i <= FAMIGLIA_SEATS; i++)
		assert_in_range(viewers[i], wanted / 5, wanted);
	for (unsigned i = 1; i <= ENDING_FORFEITED; i++)
		assert_in_range(endings[i], wanted / 200, wanted);
	assert_in_range(exchanged, wanted / 2, 10 * wanted);
	assert_in_range(done, wanted / 10, 100 * wanted);
	assert_in_range(refused, wanted, 100 * wanted);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_pairs) };

	return cmocka_run_group_tests_name("famiglia, secrecy", tests, NULL,
	                                   NULL);
}
