/*
 * test_codec.c - a game as bytes, and back; and bytes that are no game.
 */
#include "play.h"

/*
 * Where things stand in the state of three players: in the first round for
 * what follows the community cards, after a first heist for the record.
 */
enum {
	AT_FORMAT,
	AT_KEY,
	AT_MODE,
	AT_SHUFFLED,
	AT_PLAYERS,
	AT_GOLD,
	AT_RED,
	AT_NUMBER,
	AT_ROUND,
	AT_OUTCOME,
	AT_CHALLENGES, /* two bytes, the higher first */
	AT_POCKETS = AT_CHALLENGES + 2,
	AT_COMMUNITY = AT_POCKETS + 3 * 3,
	AT_DECK,
	AT_DISCARDS = AT_DECK + 1 + 46,
	AT_CHIPS,
	AT_ENDED = AT_CHIPS + 1 + 3 + 3, /* three colours without chips */
	AT_RECORD,
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
	assert_int_equal(gang_ruleset.encode(&gang, again), len);
	assert_memory_equal(bytes, again, len);
	return true;
}

/* Whoever reads the state goes on with the same game. */
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
	play_on(&play, "F");
	play_on(&other, "F");
	assert_int_equal(play.events.count, other.events.count);
	assert_memory_equal(play.events.list, other.events.list,
	                    play.events.count * sizeof(struct event));
}

/* Every byte as every other: refused, or read as just those bytes. */
static void check_changes(uint8_t *bytes, size_t len)
{
	unsigned refused = 0;

	for (size_t at = 0; at < len; at++) {
		uint8_t kept = bytes[at];
		for (unsigned value = 0; value < 256; value++) {
			bytes[at] = (uint8_t)value;
			if (!is_read(bytes, len))
				refused++;
		}
		bytes[at] = kept;
	}
	/* Nearly all of them are nonsense. */
	assert_in_range(refused, len * 240, len * 256);
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
	assert_false(is_read(bytes, len));
}

/* Three successes and then a heist in play: that game was won before. */
static void check_too_long(void **state)
{
	uint8_t bytes[RULESET_STATE_MAX];
	struct play play;
	struct gang gang;

	(void)state;
	play_open(&play);
	play_on(&play, "t3 S A+ S A+ S");
	showdown_record(&play.gang.heist, &play.gang.ended[2]);
	play.gang.ended_count = 3;
	play.gang.heist.plan.number = 4;
	for (unsigned gold = 3; gold <= 4; gold++) {
		play.gang.gold = (uint8_t)gold;
		size_t len = gang_ruleset.encode(&play.gang, bytes);
		assert_false(gang_ruleset.decode(&gang, bytes, len));
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
	/* As the turn, but without its round. */
	heist->community[heist->community_count++] =
		heist->deck[heist->deck_count];
	assert_false(is_read(bytes, gang_encode(&play.gang, bytes)));
	heist->round = 3;
	chips_deal(&heist->chips[COLOR_ORANGE], 3);
	assert_false(is_read(bytes, gang_encode(&play.gang, bytes)));
	play_open(&play);
	play_on(&play, "t3 = =");
	assert_true(is_read(bytes, gang_encode(&play.gang, bytes)));
}

/* A lobby holds nothing but its mode. */
static void check_lobby(void **state)
{
	static const uint8_t lobby[] = { 1, 0, GANG_MODE_BASIC, 1, 0 };
	uint8_t bytes[RULESET_STATE_MAX];
	struct gang gang;

	(void)state;
	assert_true(gang_ruleset.decode(&gang, lobby, sizeof(lobby)));
	assert_true(gang.shuffled_stacks);
	assert_int_equal(gang_ruleset.status(&gang), STATUS_LOBBY);
	assert_int_equal(gang_ruleset.encode(&gang, bytes), sizeof(lobby));
	gang.red = 1;
	assert_false(gang_valid(&gang));
}

/* What bytes cannot say, but a programmer could. */
static void check_invalid(void **state)
{
	struct play play;

	(void)state;
	play_open(&play);
	play_on(&play, "t3");
	assert_true(heist_valid(&play.gang.heist));
	play.gang.heist.plan.players = 0;
	assert_false(heist_valid(&play.gang.heist));
	play.gang.heist.plan.players = 7;
	assert_false(heist_valid(&play.gang.heist));
	play.gang.heist.plan.players = 3;
	/* The round that is played has chips. */
	play.gang.heist.plan.challenges = 1U << 1;
	assert_false(heist_valid(&play.gang.heist));
}

int main(void)
{
	static struct rows rows;

	ROWS_ADD(&rows, state_rows, check_state);
	ROWS_ADD(&rows, corrupt_rows, check_corrupt);
	rows_add(&rows, "a heist after the end", check_too_long, NULL);
	rows_add(&rows, "cards in other places", check_places, NULL);
	rows_add(&rows, "a lobby", check_lobby, NULL);
	rows_add(&rows, "what bytes cannot say", check_invalid, NULL);
	return rows_run("codec", &rows);
}
