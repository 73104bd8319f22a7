/*
 * test_own_things.c - names, avatars and tokens that players change, against a
 * real server.
 */
#include "group.h"

static const uint8_t key_hash[STORE_HASH_SIZE] = { 1, 2, 3 };
static const uint8_t request[STORE_HASH_SIZE] = { 5, 6, 7 };
static const uint8_t new_hash[STORE_HASH_SIZE] = { 8, 9 };
static const struct store_key some_key = { .hash = key_hash,
	                                   .request = request };

static struct store_game loaded(const struct draft *draft)
{
	struct reply reply = load(store, draft->game.id, &arena);

	assert_int_equal(reply.result, STORE_OK);
	return reply.game;
}

static void assert_player(const struct store_game *game, unsigned seat,
                          const char *name, const char *avatar)
{
	const struct store_seat *is = &game->seats[seat - 1];

	assert_string_equal(is->name, name);
	assert_string_equal(is->avatar ? is->avatar : "none", avatar);
}

static void an_avatar_comes_with_its_player(void **state)
{
	struct draft draft;

	(void)state;
	draft_new(&draft);
	draft.move.join.avatar = "\xf0\x9f\xa6\x8a";
	assert_int_equal(create(store, &draft.move).result, STORE_OK);
	draft_next(&draft, 1);
	draft.game.seats_count = 3;
	hash_of(2, draft.hash);
	draft.move.join = (struct store_join){ .seat = 2,
		                               .name = "b",
		                               .name_key = "b",
		                               .token_hash = draft.hash };
	assert_int_equal(commit_move(store, &draft.move).result, STORE_OK);
	draft_next(&draft, 1);
	draft.move.join = (struct store_join){ .seat = 3,
		                               .name = "c",
		                               .name_key = "c",
		                               .avatar = "c.png",
		                               .token_hash = new_hash };
	draft.move.key = some_key;
	assert_int_equal(commit_move(store, &draft.move).result, STORE_OK);

	struct store_game game = loaded(&draft);
	assert_player(&game, 1, "Ada \xc3\x9f", "\xf0\x9f\xa6\x8a");
	assert_player(&game, 2, "b", "none");
	assert_player(&game, 3, "c", "c.png");
}

static void a_player_changes_name_and_avatar(void **state)
{
	static const struct {
		struct store_change change;
		bool has_key;
		const char *name;
		const char *avatar;
	} rows[] = {
		{ { 2, "Bea", "bea", "b" }, false, "Bea", "b" },
		{ { 2, NULL, NULL, "x" }, true, "Bea", "x" },
		{ { 2, "b", "b", "x" }, false, "b", "x" },
		{ { 2, NULL, NULL, NULL }, false, "b", "none" },
	};
	struct draft draft;

	(void)state;
	create_table(&draft, 3);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		draft.move.change = rows[i].change;
		draft.move.key =
			rows[i].has_key ? some_key : (struct store_key){ 0 };
		assert_int_equal(commit_move(store, &draft.move).result,
		                 STORE_OK);
		struct store_game game = loaded(&draft);
		assert_int_equal(game.version, draft.game.version);
		assert_player(&game, 1, "a", "none");
		assert_player(&game, 2, rows[i].name, rows[i].avatar);
		assert_player(&game, 3, "c", "none");
		draft_next(&draft, 1);
	}
	assert_string_equal(sql(owner,
	                        "SELECT count(*) FROM gangd.idempotency_key "
	                        "WHERE game_id = '%s'",
	                        id_text(draft.game.id)),
	                    "1");
	assert_string_equal(sql(owner,
	                        "SELECT name_key FROM gangd.seat "
	                        "WHERE game_id = '%s' AND seat = 2",
	                        id_text(draft.game.id)),
	                    "b");
}

static void a_token_is_replaced(void **state)
{
	uint8_t old[STORE_HASH_SIZE];
	struct draft draft;

	(void)state;
	create_table(&draft, 2);
	hash_of(2, old);
	sql(owner,
	    "UPDATE gangd.seat SET last_seen = '2020-01-01' "
	    "WHERE game_id = '%s'",
	    id_text(draft.game.id));
	draft.move.renewal =
		(struct store_renewal){ .seat = 2, .token_hash = new_hash };
	draft.move.key = some_key;
	assert_int_equal(commit_move(store, &draft.move).result, STORE_OK);

	struct store_game game = loaded(&draft);
	hash_of(1, old);
	assert_memory_equal(game.seats[0].token_hash, old, STORE_HASH_SIZE);
	assert_memory_equal(game.seats[1].token_hash, new_hash,
	                    STORE_HASH_SIZE);
	assert_player(&game, 2, "b", "none");
	/* The player was seen, although by the old token no more. */
	assert_string_equal(sql(owner,
	                        "SELECT string_agg((last_seen > '2021-01-01')"
	                        "::text, ' ' ORDER BY seat) FROM gangd.seat "
	                        "WHERE game_id = '%s'",
	                        id_text(draft.game.id)),
	                    "false true");
}

/* Neither a change nor a renewal is made after another move. */
static void too_late_nothing_changes(void **state)
{
	char before[TEXT_MAX];
	struct draft draft;

	(void)state;
	create_table(&draft, 2);
	struct draft late = draft;
	late.move.game = &late.game;
	late.move.events = late.events;
	assert_int_equal(commit_move(store, &draft.move).result, STORE_OK);
	save_rows(draft.game.id, before);

	late.move.change = (struct store_change){ 2, "Zoe", "zoe", "z" };
	assert_int_equal(commit_move(store, &late.move).result, STORE_CONFLICT);
	late.move.key = some_key;
	assert_int_equal(commit_move(store, &late.move).result, STORE_CONFLICT);
	late.move.change.seat = 0;
	late.move.renewal = (struct store_renewal){ 2, new_hash };
	assert_int_equal(commit_move(store, &late.move).result, STORE_CONFLICT);
	late.move.renewal.seat = 0;
	late.move.join = (struct store_join){
		.seat = 3, .name = "z", .name_key = "z", .token_hash = new_hash
	};
	assert_int_equal(commit_move(store, &late.move).result, STORE_CONFLICT);
	assert_string_equal(all_rows(draft.game.id), before);
}

/* The service refuses it before; no two players ever look alike. */
static void a_name_of_another_changes_nothing(void **state)
{
	char before[TEXT_MAX];
	struct draft draft;

	(void)state;
	create_table(&draft, 2);
	save_rows(draft.game.id, before);
	draft.move.change = (struct store_change){ 2, "A", "a", NULL };
	assert_int_equal(commit_move(store, &draft.move).result, STORE_BROKEN);
	assert_string_equal(all_rows(draft.game.id), before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_A_STORE(an_avatar_comes_with_its_player),
		ON_A_STORE(a_player_changes_name_and_avatar),
		ON_A_STORE(a_token_is_replaced),
		ON_A_STORE(too_late_nothing_changes),
		ON_A_STORE(a_name_of_another_changes_nothing),
	};

	return cmocka_run_group_tests_name("own things", tests, open_all,
	                                   close_all);
}
