/*
 * test_famiglia_codec.c - states of Famiglia as bytes.  Every state decodes to
 * itself; changed bytes and states that the rules cannot go on from are
 * refused.  Rows are in famiglia_codec.def.
 */
#include <string.h>

#include "base/bytes.h"

#include "../sim/famiglia_reachable.h"
#include "famiglia_play.h"

struct state_row {
	const char *name;
	const char *setup;
	const char *script;
};

static struct state_row state_rows[] = {
#define STATE(...) { __VA_ARGS__ },
#include "famiglia_codec.def"
};

struct broken_row {
	const char *name;
	const char *setup;
	const char *script;
	size_t at;
	size_t size;
	uint64_t value;
};

static struct broken_row broken_rows[] = {
#define BROKEN(name, setup, script, member, value) \
	{ name,                                    \
	  setup,                                   \
	  script,                                  \
	  offsetof(struct famiglia, member),       \
	  sizeof(((struct famiglia *)0)->member),  \
	  value },
#include "famiglia_codec.def"
};

static struct broken_row unreached_rows[] = {
#define UNREACHED(name, setup, script, member, value) \
	{ name,                                       \
	  setup,                                      \
	  script,                                     \
	  offsetof(struct famiglia, member),          \
	  sizeof(((struct famiglia *)0)->member),     \
	  value },
#include "famiglia_codec.def"
};

enum { FORMAT_SECOND = 2, FORMAT_THIRD = 3, FORMAT = 4 };

/* Bytes that were changed get the checksum that they need to be looked at. */
static void seal(uint8_t *bytes, size_t len)
{
	struct bytes_out out = { .start = bytes, .size = len };

	assert_true(len > CHECKSUM_SIZE);
	out.len = len - CHECKSUM_SIZE;
	put_checksum(&out);
}

/* Moves in a decoded game succeed, and lead to valid states. */
static void check_moves(const struct famiglia *game)
{
	unsigned mover = famiglia_mover(game);

	if (!mover || game->vacant >> mover & 1)
		return;
	for (unsigned i = 0; i <= game->street.count; i++) {
		struct famiglia after = *game;
		struct events events = { .count = 0 };
		struct action action = { .verb = VERB_PASS,
			                 .seat = (uint8_t)mover };
		uint8_t seed[RNG_SEED_SIZE] = { 0 };
		struct rng rng;

		if (i < game->street.count) {
			action.verb = VERB_REFILL;
			action.args[ARG_PLAYED] = game->street.gangsters[i];
		}
		rng_init(&rng, seed);
		if (famiglia_check(game, &action) == ERR_OK)
			assert_int_equal(famiglia_apply(&after, &action, &rng,
			                                &events),
			                 ERR_OK);
		assert_true(famiglia_valid(&after));
	}
}

/* Refused, and nothing touched; or a state that has these very bytes. */
static bool is_read(const uint8_t *bytes, size_t len)
{
	uint8_t again[RULESET_STATE_MAX];
	struct famiglia before;
	struct famiglia game;

	memset(&before, 0xa5, sizeof(before));
	memcpy(&game, &before, sizeof(before));
	if (!famiglia_ruleset.decode(&game, bytes, len)) {
		assert_memory_equal(&game, &before, sizeof(game));
		return false;
	}
	assert_true(famiglia_valid(&game));
	check_moves(&game);
	if (bytes[0] != FORMAT)
		return true; /* which is written in this one from now on */
	assert_int_equal(famiglia_ruleset.encode(&game, again), len);
	assert_memory_equal(bytes, again, len);
	return true;
}

/*
 * Every byte as every other: refused for its checksum; and with the right one
 * refused, or read as just those bytes.
 */
static void check_changes(uint8_t *bytes, size_t len)
{
	unsigned refused = 0;

	for (size_t at = 0; at < len; at++) {
		uint8_t kept = bytes[at];

		for (unsigned value = 0; value < 256; value++) {
			bytes[at] = (uint8_t)value;
			if (at > 0 && value != kept)
				assert_false(is_read(bytes, len));
			seal(bytes, len);
			refused += !is_read(bytes, len);
		}
		bytes[at] = kept;
		seal(bytes, len);
	}
	/* Most of them are nonsense, but for the checksum's own. */
	len -= CHECKSUM_SIZE;
	assert_in_range(refused, len * 220, len * 256);
}

/* A zero followed the third format; the second had no checksum, too. */
static void check_older(const uint8_t *bytes, size_t len)
{
	uint8_t older[RULESET_STATE_MAX + 1] = { FORMAT_THIRD, 0 };

	memcpy(older + 2, bytes + 1, len++ - 1);
	seal(older, len);
	assert_true(is_read(older, len));
	older[1] = 1;
	seal(older, len);
	assert_false(is_read(older, len));
	older[0] = FORMAT_SECOND;
	older[1] = 0;
	assert_true(is_read(older, len - CHECKSUM_SIZE));
	assert_false(is_read(older, len));
}

/* Whole it is read; cut anywhere, or with a byte more, it is not. */
static void check_state(void **state)
{
	const struct state_row *row = *state;
	uint8_t bytes[RULESET_STATE_MAX + 1];
	struct famiglia game;
	struct fam_play play;
	size_t len;

	fam_play_begin(&play, row->setup);
	fam_play_on(&play, row->script);
	assert_int_equal(play.last, ERR_OK);
	len = famiglia_ruleset.encode(&play.game, bytes);
	assert_in_range(len, 1, 160);
	assert_true(famiglia_ruleset.decode(&game, bytes, len));
	assert_int_equal(famiglia_mover(&game), famiglia_mover(&play.game));
	assert_true(is_read(bytes, len));
	for (size_t cut = 0; cut < len; cut++)
		assert_false(is_read(bytes, cut));
	bytes[len] = 0;
	assert_false(is_read(bytes, len + 1));
	seal(bytes, len + 1);
	assert_false(is_read(bytes, len + 1));
	(void)famiglia_ruleset.encode(&play.game, bytes);
	check_older(bytes, len);
	check_changes(bytes, len);
}

/* The decoder refuses a state with an impossible value. */
static void check_broken(void **state)
{
	const struct broken_row *row = *state;
	uint8_t bytes[RULESET_STATE_MAX];
	struct fam_play play;
	size_t len;

	fam_play_begin(&play, row->setup);
	fam_play_on(&play, row->script);
	assert_int_equal(play.last, ERR_OK);
	assert_true(famiglia_valid(&play.game));
	uint8_t *member = (uint8_t *)&play.game + row->at;
	assert_memory_not_equal(member, &row->value, row->size);
	memcpy(member, &row->value, row->size);
	assert_false(famiglia_valid(&play.game));
	if (play.game.pile.count > PILE_MAX ||
	    play.game.street.count > STREET_MAX)
		return;
	len = famiglia_encode(&play.game, bytes);
	assert_false(is_read(bytes, len) && play.game.players);
}

/* No play leads there, but it is read, and the rules go on from it. */
static void check_unreached(void **state)
{
	const struct broken_row *row = *state;
	uint8_t bytes[RULESET_STATE_MAX];
	struct fam_play play;

	fam_play_begin(&play, row->setup);
	fam_play_on(&play, row->script);
	assert_int_equal(play.last, ERR_OK);
	assert_true(famiglia_reachable(&play.game));
	memcpy((uint8_t *)&play.game + row->at, &row->value, row->size);
	assert_true(famiglia_valid(&play.game));
	assert_false(famiglia_reachable(&play.game));
	assert_true(is_read(bytes, famiglia_encode(&play.game, bytes)));
}

/* A lobby knows who begins, and nothing else. */
static void check_lobby(void **state)
{
	uint8_t lobby[] = { FORMAT, 0, 2, 0, 0, 0, 0 };
	uint8_t bytes[RULESET_STATE_MAX];
	struct famiglia game;

	(void)state;
	seal(lobby, sizeof(lobby));
	assert_true(famiglia_ruleset.decode(&game, lobby, sizeof(lobby)));
	assert_int_equal(famiglia_ruleset.standing(&game).status, STATUS_LOBBY);
	assert_int_equal(game.starter, 2);
	assert_int_equal(famiglia_ruleset.encode(&game, bytes), sizeof(lobby));
	assert_memory_equal(bytes, lobby, sizeof(lobby));
	for (size_t at = 0; at < sizeof(lobby) - CHECKSUM_SIZE; at++) {
		memcpy(bytes, lobby, sizeof(lobby));
		bytes[at] = 9;
		seal(bytes, sizeof(lobby));
		assert_false(is_read(bytes, sizeof(lobby)));
	}
}

/* The bytes of the present format never change their meaning. */
static void check_format(void **state)
{
	static const uint8_t expected[] = {
		4,  2,  1,       /* format, players, starter */
		0,  0,  0,       /* vacant, ending, forfeiter */
		0,  0,           /* last turn, passed */
		9,  1,  0,       /* turn, refills, used again */
		51, 21, 0, 0, 0, /* a1a gave m1a */
		36, 0,  0, 0,    /* and took b1a */
		36, 6,  1,       /* b1a against f1a by 1 */
		0,  43,          /* the first pile, and its cards */
	};
	uint8_t bytes[RULESET_STATE_MAX];
	struct fam_play play;

	(void)state;
	fam_play_begin(&play, "s=f1a,m1b p=f1b A=a1a,m1a,f3a A_=b1a d=b1b,b1c");
	fam_play_on(&play, "A-m1b A$a1a:m1a<b1a A*b1a:f1a-1");
	assert_int_equal(play.last, ERR_OK);
	(void)famiglia_encode(&play.game, bytes);
	assert_memory_equal(bytes, expected, sizeof(expected));
}

/* The first format knew no forfeiter: a vacant seat is taken over. */
static void check_first(void **state)
{
	uint8_t bytes[RULESET_STATE_MAX];
	struct fam_play play;
	struct fam_play first;

	(void)state;
	fam_play_begin(&play, "s=f0c,m1a");
	size_t len = famiglia_encode(&play.game, bytes) - CHECKSUM_SIZE;
	memmove(bytes + 2, bytes + 1, 4); /* over the forfeiter */
	bytes[0] = 1;
	bytes[1] = 0;
	bytes[4] = 1 << 1; /* vacant */
	first = play;
	first.table.state = &first.game;
	assert_true(famiglia_ruleset.decode(&first.game, bytes, len));
	assert_true(table_open(&first.table));
	assert_int_equal(first.table.vacant, 1 << 1);
	fam_play_on(&first, "j A+f0c");
	assert_int_equal(first.last, ERR_OK);
	fam_play_on(&play, "A+f0c");
	assert_memory_equal(&first.game.sides, &play.game.sides,
	                    sizeof(play.game.sides));
	for (size_t cut = 0; cut < len; cut++)
		assert_false(is_read(bytes, cut));
}

int main(void)
{
	static struct rows rows;

	ROWS_ADD(&rows, state_rows, check_state);
	ROWS_ADD(&rows, broken_rows, check_broken);
	ROWS_ADD(&rows, unreached_rows, check_unreached);
	rows_add(&rows, "a lobby", check_lobby, NULL);
	rows_add(&rows, "the present format is fixed", check_format, NULL);
	rows_add(&rows, "the first format is read", check_first, NULL);
	return rows_run("famiglia, codec", &rows);
}
