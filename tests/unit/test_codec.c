/*
 * test_codec.c - states of The Gang as bytes.  Every state decodes to itself;
 * changed bytes, shortened ones and states that the rules cannot go on from are
 * refused; older formats are still read.  Rows are in codec.def.
 */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"

#include "../sim/gang_reachable.h"
#include "games/gang/rules/gang_view.h"
#include "gang_play.h"

/*
 * Where things stand in the state of three players in basic mode: in the first
 * round for what follows the community cards, after a first heist for the
 * record.
 */
enum {
	AT_FORMAT,
	AT_MODE,
	AT_SHUFFLED,
	AT_CONFIRMS,
	AT_PLAYERS,
	AT_STACK =
		AT_PLAYERS +
		1, /* of challenges: two bytes seen, shuffled, count, ten cards
	            */
	AT_OTHER_STACK = AT_STACK + 4 + 10,
	AT_GOLD = AT_OTHER_STACK + 4 + 10,
	AT_RED,
	AT_NUMBER,
	AT_DEAL,
	AT_ROUND,
	AT_OUTCOME,
	AT_CHALLENGES, /* two bytes, the higher first */
	AT_PERMANENT = AT_CHALLENGES + 2,
	AT_SPECIALIST = AT_PERMANENT + 2,
	AT_POCKETS,
	AT_COMMUNITY = AT_POCKETS + 3 * 3,
	AT_DECK,
	AT_DISCARDS = AT_DECK + 1 + 46,
	AT_CHIPS,
	AT_VACANT = AT_CHIPS + 1 + 3 + 3, /* three colours without chips */
	AT_CLOSED,
	AT_ENDED = AT_CLOSED + 3,
	AT_RECORD, /* outcome, challenges, permanent, specialist, used by */
	AT_RECORD_CHALLENGES,
	AT_RECORD_PERMANENT = AT_RECORD_CHALLENGES + 2,
	AT_RECORD_SPECIALIST = AT_RECORD_PERMANENT + 2,
	AT_RECORD_USED_BY,
	AT_RECORD_COMMUNITY,
	AT_RECORD_POCKETS = AT_RECORD_COMMUNITY + COMMUNITY_MAX,
	AT_RECORD_RED = AT_RECORD_POCKETS + 3 * 3,
};

struct state_row {
	const char *name;
	const char *script;
	size_t at;
	unsigned value;
};

static struct state_row state_rows[] = {
#define STATE(...) { __VA_ARGS__, 0, 0 },
#include "codec.def"
};

static struct state_row corrupt_rows[] = {
#define CORRUPT(...) { __VA_ARGS__ },
#include "codec.def"
};

struct broken_row {
	const char *name;
	const char *script;
	size_t at;
	uint8_t value;
};

static struct broken_row broken_rows[] = {
#define BROKEN(name, script, member, value) \
	{ name, script, offsetof(struct gang, member), value },
#include "codec.def"
};

static struct broken_row unreached_rows[] = {
#define UNREACHED(name, script, member, value) \
	{ name, script, offsetof(struct gang, member), value },
#include "codec.def"
};

struct first_row {
	const char *name;
	const char *script;
	const char *hex;
};

static struct first_row first_rows[] = {
#define FIRST(...) { __VA_ARGS__ },
#include "codec.def"
};

static struct first_row second_rows[] = {
#define SECOND(...) { __VA_ARGS__ },
#include "codec.def"
};

static struct first_row later_rows[] = {
#define LATER(...) { __VA_ARGS__ },
#include "codec.def"
};

static struct first_row present_rows[] = {
#define PRESENT(...) { __VA_ARGS__ },
#include "codec.def"
};

enum { FORMAT_FIFTH = 5, FORMAT = 6 };

/* Bytes that were changed get the checksum that they need to be looked at. */
static void seal(uint8_t *bytes, size_t len)
{
	struct bytes_out out = { .start = bytes, .size = len };

	assert_true(len > CHECKSUM_SIZE);
	out.len = len - CHECKSUM_SIZE;
	put_checksum(&out);
}

static size_t state_of(const char *script, uint8_t *bytes)
{
	struct play play;
	size_t len;

	play_open(&play);
	play_on(&play, script);
	assert_int_equal(play.last, ERR_OK);
	len = gang_ruleset.encode(&play.gang, bytes);
	assert_in_range(len, 1, RULESET_STATE_MAX);
	return len;
}

/* Refused, and nothing touched; or a state that has these very bytes. */
static bool is_read(const uint8_t *bytes, size_t len)
{
	uint8_t again[RULESET_STATE_MAX];
	struct gang before;
	struct gang gang;

	memset(&before, 0xa5, sizeof(before));
	memcpy(&gang, &before, sizeof(before));
	if (!gang_ruleset.decode(&gang, bytes, len)) {
		assert_memory_equal(&gang, &before, sizeof(gang));
		return false;
	}
	assert_true(gang_valid(&gang));
	/* Any other one is written in the newest from now on. */
	if (bytes[AT_FORMAT] != FORMAT)
		return true;
	assert_int_equal(gang_ruleset.encode(&gang, again), len);
	assert_memory_equal(bytes, again, len);
	return true;
}

/* A decoded game continues exactly as the original does. */
static void check_same_game(const char *script)
{
	struct play play;
	struct play other;
	uint8_t bytes[RULESET_STATE_MAX];
	size_t len;

	play_open(&play);
	play_on(&play, script);
	other = play;
	other.table.state = &other.gang;
	len = gang_ruleset.encode(&play.gang, bytes);
	assert_true(gang_ruleset.decode(&other.gang, bytes, len));
	if (play.table.status != STATUS_PLAYING)
		return;
	if (play.gang.heist.outcome != OUTCOME_OPEN) {
		play_on(&play, "A+");
		play_on(&other, "A+");
	}
	if (!play.table.vacant) {
		play_on(&play, "F");
		play_on(&other, "F");
	}
	assert_int_equal(play.events.count, other.events.count);
	assert_memory_equal(play.events.list, other.events.list,
	                    play.events.count * sizeof(struct event));
}

/*
 * Every byte as every other: refused for its checksum; and with the right one
 * refused, or read as just those bytes.  Under valgrind every VALUE_STEP-th
 * value is enough: it looks at the memory, and the sanitizers run all of them.
 */
static void check_changes(uint8_t *bytes, size_t len)
{
	const char *text = getenv("VALUE_STEP");
	unsigned step = text ? (unsigned)strtoul(text, NULL, 10) : 1;
	unsigned refused = 0;

	for (size_t at = 0; at < len; at++) {
		uint8_t kept = bytes[at];
		for (unsigned value = 0; value < 256; value += step) {
			bytes[at] = (uint8_t)value;
			if (at != AT_FORMAT && value != kept)
				assert_false(is_read(bytes, len));
			seal(bytes, len);
			if (!is_read(bytes, len))
				refused++;
		}
		bytes[at] = kept;
		seal(bytes, len);
	}
	/* Most of them are nonsense, but for the checksum's own. */
	len -= CHECKSUM_SIZE;
	assert_in_range(refused, len * 170 / step, len * (256 / step + 1));
}

/* The fifth format had a zero after its number, and no other byte. */
static void check_fifth(const uint8_t *bytes, size_t len)
{
	uint8_t fifth[RULESET_STATE_MAX + 1] = { FORMAT_FIFTH, 0 };

	memcpy(fifth + 2, bytes + 1, len - 1);
	seal(fifth, len + 1);
	assert_true(is_read(fifth, len + 1));
	fifth[1] = 1;
	seal(fifth, len + 1);
	assert_false(is_read(fifth, len + 1));
}

/* Whole it is read; cut anywhere, or with a byte more, it is not. */
static void check_state(void **state)
{
	const struct state_row *row = *state;
	uint8_t bytes[RULESET_STATE_MAX + 1];
	size_t len = state_of(row->script, bytes);

	assert_true(is_read(bytes, len));
	for (size_t cut = 0; cut < len; cut++)
		assert_false(is_read(bytes, cut));
	bytes[len] = 0;
	assert_false(is_read(bytes, len + 1));
	seal(bytes, len + 1);
	assert_false(is_read(bytes, len + 1));
	(void)state_of(row->script, bytes);
	check_fifth(bytes, len);
	check_changes(bytes, len);
	check_same_game(row->script);
}

static void check_corrupt(void **state)
{
	const struct state_row *row = *state;
	uint8_t bytes[RULESET_STATE_MAX];
	size_t len = state_of(row->script, bytes);

	assert_true(row->at < len);
	assert_int_not_equal(bytes[row->at], row->value);
	bytes[row->at] = (uint8_t)row->value;
	seal(bytes, len);
	assert_false(is_read(bytes, len));
}

/* One member gets an impossible value: the state is refused. */
static void check_broken(void **state)
{
	const struct broken_row *row = *state;
	struct play play;
	uint8_t *member;

	play_open(&play);
	play_on(&play, row->script);
	assert_int_equal(play.last, ERR_OK);
	assert_true(gang_valid(&play.gang));
	member = (uint8_t *)&play.gang + row->at;
	assert_int_not_equal(*member, row->value);
	*member = row->value;
	assert_false(gang_valid(&play.gang));
}

/* Each offered action succeeds, and leads to a valid state. */
static void check_goes_on(const struct gang *gang)
{
	static struct gang_view view;

	for (unsigned seat = 0; seat <= gang->players; seat++) {
		gang_ruleset.view(gang, seat, &view);
		for (size_t i = 0; i < view.legal_count; i++) {
			uint8_t seed[RNG_SEED_SIZE] = { 0 };
			struct events events = { .count = 0 };
			struct gang next = *gang;
			struct rng rng;

			rng_init(&rng, seed);
			assert_int_equal(gang_apply(&next, &view.legal[i], &rng,
			                            &events),
			                 ERR_OK);
			assert_true(gang_valid(&next));
		}
	}
}

/* One member gets a value that no play leads to: it is read, and goes on. */
static void check_unreached(void **state)
{
	const struct broken_row *row = *state;
	uint8_t bytes[RULESET_STATE_MAX];
	struct play play;
	struct gang read;
	uint8_t *member;

	play_open(&play);
	play_on(&play, row->script);
	assert_int_equal(play.last, ERR_OK);
	assert_true(gang_reachable(&play.gang));
	member = (uint8_t *)&play.gang + row->at;
	assert_int_not_equal(*member, row->value);
	*member = row->value;
	assert_true(gang_valid(&play.gang));
	assert_false(gang_reachable(&play.gang));
	size_t len = gang_encode(&play.gang, bytes);
	assert_true(gang_decode(&read, bytes, len));
	check_goes_on(&read);
}

static size_t read_hex(const char *hex, uint8_t *bytes)
{
	size_t len = strlen(hex) / 2;

	for (size_t i = 0; i < len; i++) {
		char digits[] = { hex[2 * i], hex[2 * i + 1], '\0' };
		bytes[i] = (uint8_t)strtoul(digits, NULL, 16);
	}
	return len;
}

/* A state of its format is read as the same game. */
static void check_first(void **state)
{
	const struct first_row *row = *state;
	uint8_t first[RULESET_STATE_MAX];
	uint8_t again[RULESET_STATE_MAX];
	uint8_t bytes[RULESET_STATE_MAX];
	size_t expected = state_of(row->script, bytes);
	size_t len = read_hex(row->hex, first);
	struct gang gang;

	assert_true(gang_ruleset.decode(&gang, first, len));
	assert_int_equal(gang_ruleset.encode(&gang, again), expected);
	assert_memory_equal(again, bytes, expected);
	for (size_t cut = 0; cut < len; cut++)
		assert_false(gang_ruleset.decode(&gang, first, cut));
	first[len] = 0;
	assert_false(gang_ruleset.decode(&gang, first, len + 1));
}

/*
 * Under the first version of the rules chips moved while a choice was due: a
 * round whose chips were settled ended with the last choice, and still does.
 */
static void check_old_choice(void **state)
{
	static const char hex[] =
		"02000200030000000a0102030405060708090a000200090203040506070809"
		"0a00010201000000000001020e1f02181a0210"
		"33002e310f2d092911230b0a03240025150c07122f222b0828321b2616201d"
		"17302a0d1c27191e0402212e012c1405130600"
		"0301020300000002010203000e04ffffffffff000000010203000000010200"
		"0000000000061305142c020e1f02181a021033"
		"020301";
	uint8_t bytes[RULESET_STATE_MAX];
	struct play play;

	(void)state;
	play_open(&play);
	play_on(&play, "t3a F A+");
	assert_true(
		gang_ruleset.decode(&play.gang, bytes, read_hex(hex, bytes)));
	assert_true(chips_settled(&play.gang.heist.chips[COLOR_WHITE]));
	play_on(&play, "A1");
	assert_int_equal(play.last, ERR_CHOICE_DUE);
	play.last = ERR_OK;
	play_on(&play, "B*8c");
	assert_int_equal(play.events.list[1].type, EVENT_ROUND_ENDED);
	assert_int_equal(play.gang.heist.round, 2);
	assert_true(gang_valid(&play.gang));
}

/* Three successes and then a heist in play: that game was won before. */
static void check_too_long(void **state)
{
	uint8_t bytes[RULESET_STATE_MAX];
	struct play play;
	struct gang gang;

	(void)state;
	for (unsigned lost = 0; lost < 2; lost++) {
		play_open(&play);
		play_on(&play, lost ? "t3 F A+ F A+ F" : "t3 S A+ S A+ S");
		summary_of_heist(&play.gang.heist, &play.gang.ended[2]);
		play.gang.ended_count = 3;
		play.gang.heist.setup.number = 4;
		for (unsigned score = 3; score <= 4; score++) {
			play.gang.vaults = (uint8_t)(lost ? 0 : score);
			play.gang.alarms = (uint8_t)(lost ? score : 0);
			size_t len = gang_ruleset.encode(&play.gang, bytes);
			assert_false(gang_ruleset.decode(&gang, bytes, len));
		}
	}
}

/* Cards may lie in another place, but each in one. */
static void check_places(void **state)
{
	uint8_t bytes[RULESET_STATE_MAX];
	struct play play;
	struct heist *heist = &play.gang.heist;

	(void)state;
	play_open(&play);
	play_on(&play, "t3 =");
	heist->discards[heist->discards_count++] =
		heist->deck[--heist->deck_count];
	assert_true(is_read(bytes, gang_encode(&play.gang, bytes)));
	heist->discards_count = 0;
	assert_false(is_read(bytes, gang_encode(&play.gang, bytes)));
	/* The card of the turn without its round. */
	heist->community[heist->community_count++] =
		heist->deck[heist->deck_count];
	assert_false(is_read(bytes, gang_encode(&play.gang, bytes)));
	/* The turn with its round, but the last round is not settled. */
	heist->round = 3;
	chips_deal(&heist->chips[COLOR_ORANGE], 3);
	assert_true(is_read(bytes, gang_encode(&play.gang, bytes)));
	assert_false(gang_reachable(&play.gang));
	play_open(&play);
	play_on(&play, "t3 = =");
	assert_true(is_read(bytes, gang_encode(&play.gang, bytes)));
	/* A pocket has as many cards as were dealt. */
	heist->discards[heist->discards_count++] = heist->pockets[0].cards[1];
	heist->pockets[0].count--;
	assert_false(is_read(bytes, gang_encode(&play.gang, bytes)));
	/* The Jack is never put into the deck. */
	play_open(&play);
	play_on(&play, "t3 s7 A:B & *");
	assert_int_equal(heist->pockets[1].cards[0], CARD_JX);
	heist->pockets[1].cards[0] = heist->deck[0];
	heist->deck[0] = CARD_JX;
	assert_false(is_read(bytes, gang_encode(&play.gang, bytes)));
}

static void discard_top(struct heist *heist)
{
	heist->discards[heist->discards_count++] =
		heist->deck[--heist->deck_count];
}

/* A state has room for every card that may still be discarded. */
static void check_discards(void **state)
{
	uint8_t bytes[RULESET_STATE_MAX];
	struct play play;
	struct heist *heist = &play.gang.heist;

	(void)state;
	play_open(&play);
	play_on(&play, "t3 s5");
	discard_top(heist);
	assert_false(is_read(bytes, gang_encode(&play.gang, bytes)));
	play_open(&play);
	play_on(&play, "t3 s5 =");
	while (heist->discards_count < HEIST_DISCARDS_MAX - 1)
		discard_top(heist);
	assert_true(is_read(bytes, gang_encode(&play.gang, bytes)));
	play_on(&play, "A:B & *");
	assert_int_equal(play.last, ERR_OK);
	assert_int_equal(heist->discards_count, HEIST_DISCARDS_MAX);
	assert_true(is_read(bytes, gang_encode(&play.gang, bytes)));
}

/* No proposal and no due choice outlasts the showdown. */
static void check_use_in_showdown(void **state)
{
	static const char *const scripts[][2] = {
		{ "t3 p4 s10 = = = =", "t3 p4 s10 = = = A:B" },
		{ "t3 s10 S", "t3 s10 = = = A:B" },
		{ "t3 s9 S", "t3 s9" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(scripts); i++) {
		struct play play;
		struct play before;

		play_open(&play);
		play_on(&play, scripts[i][0]);
		assert_true(gang_reachable(&play.gang));
		play_open(&before);
		play_on(&before, scripts[i][1]);
		assert_true(gang_reachable(&before.gang));
		play.gang.heist.ability = before.gang.heist.ability;
		assert_false(gang_reachable(&play.gang));
	}
}

/* A lobby holds nothing but its mode, and the stacks as they were left. */
static void check_lobby(void **state)
{
	uint8_t lobby[] = {
		6,  GANG_MODE_PROFESSIONAL,
		1,  0,
		0, /* no confirmed rounds, no players */
		0,  4,
		0,  10,
		10, 9,
		8,  7,
		6,  5,
		4,  3,
		2,  1, /* card 2 seen */
		0,  0,
		1,  10,
		1,  2,
		3,  4,
		5,  6,
		7,  8,
		9,  10, /* shuffled */
		0,  0,
		0,  0, /* for the checksum */
	};
	uint8_t bytes[RULESET_STATE_MAX];
	struct gang gang;

	(void)state;
	seal(lobby, sizeof(lobby));
	assert_true(gang_ruleset.decode(&gang, lobby, sizeof(lobby)));
	assert_true(gang.shuffled_stacks);
	assert_int_equal(gang_ruleset.standing(&gang).status, STATUS_LOBBY);
	assert_string_equal(gang_ruleset.standing(&gang).mode, "professional");
	assert_int_equal(gang.challenges.seen, 1U << 2);
	assert_int_equal(gang.challenges.cards[0], 10);
	assert_false(gang.challenges.is_shuffled);
	assert_true(gang.specialists.is_shuffled);
	assert_int_equal(gang_ruleset.encode(&gang, bytes), sizeof(lobby));
	assert_memory_equal(bytes, lobby, sizeof(lobby));
	assert_true(gang_reachable(&gang));
	gang.alarms = 1;
	assert_false(gang_reachable(&gang));
}

int main(void)
{
	static struct rows rows;

	ROWS_ADD(&rows, state_rows, check_state);
	ROWS_ADD(&rows, corrupt_rows, check_corrupt);
	ROWS_ADD(&rows, broken_rows, check_broken);
	ROWS_ADD(&rows, unreached_rows, check_unreached);
	ROWS_ADD(&rows, first_rows, check_first);
	ROWS_ADD(&rows, second_rows, check_first);
	ROWS_ADD(&rows, later_rows, check_first);
	ROWS_ADD(&rows, present_rows, check_first);
	rows_add(&rows, "an old choice beside settled chips is read",
	         check_old_choice, NULL);
	rows_add(&rows, "a heist after the end is refused", check_too_long,
	         NULL);
	rows_add(&rows, "cards in impossible places are refused", check_places,
	         NULL);
	rows_add(&rows, "a state without room for discards is refused",
	         check_discards, NULL);
	rows_add(&rows, "a proposal or choice in the showdown is unreachable",
	         check_use_in_showdown, NULL);
	rows_add(&rows, "a lobby", check_lobby, NULL);
	return rows_run("codec", &rows);
}
