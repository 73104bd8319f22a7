/*
 * test_bot_seats.c - seats of bots in the database: their levels in the copy of
 * the seats, and when a game's bots are due.
 */
#include "group.h"

#include "base/macros.h"

/* "null", "now" for a time that has come, or "later". */
static const char *due_of(struct uuid id)
{
	return sql(owner,
	           "SELECT CASE WHEN bot_due_at IS NULL THEN 'null' "
	           "WHEN bot_due_at <= now() THEN 'now' ELSE 'later' END "
	           "FROM gangd.game WHERE game_id = '%s'",
	           id_text(id));
}

/* The level of each seat as a digit, "0" a person's, "-" vacant. */
static void assert_levels(struct uuid id, const char *should)
{
	struct reply loaded = load(store, id, &arena);
	char text[STORE_SEATS_MAX + 1] = "";
	unsigned bots = 0;

	assert_int_equal(loaded.result, STORE_OK);
	for (unsigned i = 0; i < loaded.game.seats_count; i++) {
		const struct store_seat *seat = &loaded.game.seats[i];

		text[i] = seat->name ? (char)('0' + seat->bot_level) : '-';
		bots += seat->bot_level > 0;
	}
	assert_string_equal(text, should);
	assert_int_equal(strtoul(sql(owner,
	                             "SELECT bots FROM gangd.game "
	                             "WHERE game_id = '%s'",
	                             id_text(id)),
	                         NULL, 10),
	                 bots);
}

static struct store_join bot_at(unsigned seat, unsigned level)
{
	static const char *const names[] = { "p", "q", "r", "s", "t", "u" };
	static uint8_t hashes[STORE_SEATS_MAX][STORE_HASH_SIZE];

	hash_of(100 + seat, hashes[seat - 1]);
	return (struct store_join){
		.seat = (uint8_t)seat,
		.name = names[seat - 1],
		.name_key = names[seat - 1],
		.token_hash = hashes[seat - 1],
		.bot_level = (uint8_t)level,
	};
}

/* A game with a person at seat 1, whose avatar is a fox, and two bots. */
static void create_with_bots(struct draft *draft)
{
	struct store_join bots[] = { bot_at(2, 1), bot_at(3, 3) };

	draft_new(draft);
	draft->move.join.avatar = "\xf0\x9f\xa6\x8a";
	draft->move.bots = bots;
	draft->move.bots_count = ARRAY_LEN(bots);
	draft->game.seats_count = 3;
	assert_int_equal(create(store, &draft->move).result, STORE_OK);
	draft->move.bots = NULL;
	draft->move.bots_count = 0;
	draft_next(draft, 1);
}

static struct reply replace(const struct store_move *move)
{
	struct reply answer = { .count = 0 };

	store_commit_move(store, move, on_answer, &answer);
	await(store, &answer, 1);
	return answer;
}

static void bots_are_created_and_loaded(void **state)
{
	struct draft draft;

	(void)state;
	create_with_bots(&draft);
	assert_levels(draft.game.id, "013");
	assert_string_equal(due_of(draft.game.id), "null");
	struct reply loaded = load(store, draft.game.id, &arena);
	assert_string_equal(loaded.game.seats[0].avatar, "\xf0\x9f\xa6\x8a");
	assert_null(loaded.game.seats[2].avatar);
	assert_string_equal(loaded.game.seats[2].name, "r");
}

/* Every change of a game that has started and has bots. */
static void a_change_makes_bots_due(void **state)
{
	struct draft draft;

	(void)state;
	create_with_bots(&draft);
	assert_int_equal(commit_move(store, &draft.move).result, STORE_OK);
	assert_string_equal(due_of(draft.game.id), "null");
	draft_next(&draft, 1);
	draft.game.status = "playing";
	assert_int_equal(commit_move(store, &draft.move).result, STORE_OK);
	assert_string_equal(due_of(draft.game.id), "now");
	sql(owner, "UPDATE gangd.game SET bot_due_at = NULL");
	draft_next(&draft, 2);
	assert_int_equal(commit_move(store, &draft.move).result, STORE_OK);
	assert_string_equal(due_of(draft.game.id), "now");
}

/* The same when moves travel as one statement; persons' games are not due. */
static void gathered_moves_make_bots_due(void **state)
{
	struct reply replies[2] = { { .count = 0 } };
	struct draft persons;
	struct draft draft;

	(void)state;
	create_with_bots(&draft);
	create_table(&persons, 3);
	draft.game.status = "playing";
	persons.game.status = "playing";
	store_commit_move(store, &draft.move, on_answer, &replies[0]);
	store_commit_move(store, &persons.move, on_answer, &replies[1]);
	await(store, replies, 2);
	assert_int_equal(replies[0].result, STORE_OK);
	assert_int_equal(replies[1].result, STORE_OK);
	assert_string_equal(due_of(draft.game.id), "now");
	assert_string_equal(due_of(persons.game.id), "null");
}

static void a_bot_takes_a_vacant_seat(void **state)
{
	struct draft draft;

	(void)state;
	create_table(&draft, 3);
	draft.game.status = "playing";
	draft.move.leave = (struct store_leave){ .seat = 2 };
	assert_int_equal(leave(&draft.move).result, STORE_OK);
	assert_levels(draft.game.id, "0-0");
	draft_next(&draft, 1);
	draft.move.join = bot_at(2, 2);
	assert_int_equal(commit_move(store, &draft.move).result, STORE_OK);
	assert_levels(draft.game.id, "020");
	assert_string_equal(due_of(draft.game.id), "now");
	draft_next(&draft, 1);
	assert_int_equal(leave(&draft.move).result, STORE_OK);
	assert_levels(draft.game.id, "0-0");
	assert_string_equal(due_of(draft.game.id), "null");
}

static void one_player_replaces_another(void **state)
{
	struct draft draft;
	uint8_t hash[STORE_HASH_SIZE];

	(void)state;
	create_with_bots(&draft);
	hash_of(9, hash);
	draft.move.leave = (struct store_leave){ .seat = 2, .closes_up = true };
	draft.move.join = (struct store_join){
		.seat = 3, .name = "z", .name_key = "z", .token_hash = hash
	};
	assert_int_equal(replace(&draft.move).result, STORE_OK);
	assert_levels(draft.game.id, "030");
	assert_int_equal(replace(&draft.move).result, STORE_CONFLICT);
	assert_levels(draft.game.id, "030");
	draft_next(&draft, 2);
	draft.game.status = "playing";
	draft.move.leave = (struct store_leave){ .seat = 3 };
	draft.move.join = bot_at(3, 1);
	draft.move.join.name = "n";
	draft.move.join.name_key = "n";
	assert_int_equal(replace(&draft.move).result, STORE_OK);
	assert_levels(draft.game.id, "031");
	assert_string_equal(due_of(draft.game.id), "now");
}

static void a_rematch_has_the_bots(void **state)
{
	struct reply answer = { .count = 0 };
	struct draft next;
	struct draft draft;

	(void)state;
	create_with_bots(&draft);
	draft_new(&next);
	next.game.seats_count = 3;
	next.game.status = "playing";
	store_rematch(store, &draft.move, &next.move, on_answer, &answer);
	await(store, &answer, 1);
	assert_int_equal(answer.result, STORE_OK);
	assert_levels(next.game.id, "013");
	assert_string_equal(due_of(next.game.id), "now");
}

/* Bytes after the avatar that are no level. */
static void a_damaged_level_is_found(void **state)
{
	static const char *const levels[] = { "0", "4", "11", "x", "" };
	struct draft draft;

	(void)state;
	create_with_bots(&draft);
	for (size_t i = 0; i < ARRAY_LEN(levels); i++) {
		sql(owner,
		    "UPDATE gangd.game SET seats = '\\x03' || "
		    "decode(repeat('ab', 32), 'hex') || "
		    "int2send((3 + length('%s'))::smallint) || "
		    "convert_to(E'r\\n\\n%s', 'UTF8') WHERE game_id = '%s'",
		    levels[i], levels[i], id_text(draft.game.id));
		assert_int_equal(load(store, draft.game.id, &arena).result,
		                 STORE_BROKEN);
	}
	copy_seats(draft.game.id);
	assert_levels(draft.game.id, "013");
}

/* How many games an answer has, and the last of them. */
struct taken {
	unsigned answers;
	size_t count;
	struct store_due due;
};

static void on_taken(void *arg, const struct store_answer *answer)
{
	struct taken *taken = arg;

	assert_int_equal(answer->result, STORE_OK);
	taken->answers++;
	taken->count = answer->count;
	if (answer->count)
		taken->due = answer->due[answer->count - 1];
}

static void await_taken(const struct taken *taken)
{
	uint64_t end_ms = now_ms() + PATIENCE_MS;

	while (!taken->answers && now_ms() < end_ms)
		tick(store, 10);
	assert_int_equal(taken->answers, 1);
}

/* Games to take: 1 or 0; by both ways in which daemons do it. */
static size_t take_all(void)
{
	struct taken taken = { .count = 0 };

	store_take_bots(store, 8, &arena, on_taken, &taken);
	await_taken(&taken);
	return taken.count;
}

static size_t find_all(struct store_due *due)
{
	struct taken found = { .count = 0 };

	store_find_due_bots(store, 8, &arena, on_taken, &found);
	await_taken(&found);
	*due = found.due;
	return found.count;
}

static struct taken take_one(struct uuid id)
{
	struct taken taken = { .count = 0 };

	store_take_bot(store, id, &arena, on_taken, &taken);
	await_taken(&taken);
	return taken;
}

/* Whichever way a daemon takes a game, no other gets it within the lease. */
static void a_due_game_is_taken_once(void **state)
{
	struct store_due due;
	struct draft draft;

	(void)state;
	create_with_bots(&draft);
	sql(owner, "UPDATE gangd.game SET bot_due_at = NULL");
	draft.game.status = "playing";
	assert_int_equal(commit_move(store, &draft.move).result, STORE_OK);
	assert_int_equal(find_all(&due), 1);
	assert_memory_equal(due.id.bytes, draft.game.id.bytes,
	                    sizeof(due.id.bytes));
	assert_string_equal(due_of(draft.game.id), "now");

	struct taken taken = take_one(draft.game.id);
	assert_int_equal(taken.count, 1);
	assert_int_equal(taken.due.version, due.version);
	assert_string_equal(due_of(draft.game.id), "later");
	assert_int_equal(take_one(draft.game.id).count, 0);
	assert_int_equal(find_all(&due), 0);
	assert_int_equal(take_all(), 0);

	sql(owner, "UPDATE gangd.game SET bot_due_at = now() "
	           "WHERE bot_due_at IS NOT NULL");
	assert_int_equal(take_all(), 1);
	assert_int_equal(take_one(draft.game.id).count, 0);
	sql(owner, "UPDATE gangd.game SET bot_due_at = NULL");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_A_STORE(bots_are_created_and_loaded),
		ON_A_STORE(a_change_makes_bots_due),
		ON_A_STORE(gathered_moves_make_bots_due),
		ON_A_STORE(a_bot_takes_a_vacant_seat),
		ON_A_STORE(one_player_replaces_another),
		ON_A_STORE(a_rematch_has_the_bots),
		ON_A_STORE(a_damaged_level_is_found),
		ON_A_STORE(a_due_game_is_taken_once),
	};

	return run_both_ways("bot_seats", tests, ARRAY_LEN(tests), 0);
}
